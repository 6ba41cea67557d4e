import './theme.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '#web/app/app.tsx';
import { applyStoredTheme } from '#web/lib/theme.ts';

applyStoredTheme();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root');
const app = createRoot(root);
// The first screen is drawn in pieces between which the browser can paint and listen.
startTransition(() =>
  app.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
