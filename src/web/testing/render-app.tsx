import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '#web/app/app.tsx';
import { stubSockets } from './fake-socket.ts';

/** Renders the application at an address and returns its user. Call `serve` first. */
export function renderApp(path: string) {
  stubSockets();
  history.replaceState(null, '', path);
  render(<App />);
  return userEvent.setup();
}
