import { cleanup, configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, vi } from 'vitest';
import { App } from '#web/app/app.tsx';
import { currentToasts, dismissToast } from '#web/lib/toast-store.ts';
import { stubSockets } from '#web/testing/fake-socket.ts';

// Pages and dialogs load when they are opened, which may be slow the first time.
configure({ asyncUtilTimeout: 5_000 });

afterEach(() => {
  for (const { id } of currentToasts()) dismissToast(id);
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

/** The whole application at an address, and a person in front of it. Call `serve` first. */
export function renderApp(path: string) {
  stubSockets();
  history.replaceState(null, '', path);
  render(<App />);
  return userEvent.setup();
}
