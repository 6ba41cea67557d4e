import './guest.css';
import { createRoot } from 'react-dom/client';
import { GuestApp } from './features/guest/guest-app.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('guest.html has no element #root');
createRoot(root).render(<GuestApp />);
