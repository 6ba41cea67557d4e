import { cleanup, configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, vi } from 'vitest';
import { App } from '#web/app/app.tsx';
import { currentToasts, dismissToast } from '#web/lib/toast.ts';
import { stubSockets } from './fake-socket.ts';

// Pages and dialogs load when they open, which can be slow the first time.
configure({
  asyncUtilTimeout: 15_000,
  // A query that waits fails many times. Printing all elements took a tenth of the tests' time.
  getElementError: (message, container) => new Error(`${message}\n\nThe page reads: ${container.textContent}`),
});

afterEach(() => {
  for (const { id } of currentToasts()) dismissToast(id);
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

/** Renders the application at an address and returns its user. Call `serve` first. */
export function renderApp(path: string) {
  stubSockets();
  history.replaceState(null, '', path);
  render(<App />);
  return userEvent.setup();
}
