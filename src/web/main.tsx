import './theme.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createQueryClient } from './lib/query-client.ts';
import { applyStoredTheme } from './lib/theme.ts';
import { prefetchParts } from './ui/overlays/lazy-part.tsx';

applyStoredTheme();
// Zod loads later. It would probe for `eval`, which the Content-Security-Policy forbids and
// browsers report.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root');
const app = createRoot(root);
const queryClient = createQueryClient();
// A transition renders in slices, so that the browser can paint and handle input in between.
startTransition(() =>
  app.render(
    <StrictMode>
      <App queryClient={queryClient} />
    </StrictMode>,
  ),
);
prefetchParts();
