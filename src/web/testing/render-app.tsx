import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { onTestFinished } from 'vitest';
import { App } from '#web/app/app.tsx';
import { createQueryClient } from '#web/lib/query-client.ts';
import { stubSockets } from './fake-socket.ts';

/** Renders the application at an address and returns its user. Call `serve` first. */
export function renderApp(path: string) {
  stubSockets();
  history.replaceState(null, '', path);
  const queryClient = createQueryClient();
  // A read that failed would be tried again during the next test.
  onTestFinished(() => queryClient.clear());
  render(<App queryClient={queryClient} />);
  return userEvent.setup();
}
