import type { QueryClient } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { App } from '#web/app/app.tsx';
import { createQueryClient } from '#web/lib/query-client.ts';
import { stubSockets } from './fake-socket.ts';

/** Renders the application at a URL and returns its user. Call `serve` first. */
export function renderApp(path: string) {
  stubSockets();
  history.replaceState(null, '', path);
  const queryClient = createQueryClient();
  render(
    <>
      <App queryClient={queryClient} />
      <EndReads queryClient={queryClient} />
    </>,
  );
  return userEvent.setup();
}

/** Ends the reads together with the page. A failed prefetch would be retried in the next test. */
function EndReads({ queryClient }: { queryClient: QueryClient }) {
  useEffect(() => () => queryClient.getQueryCache().clear(), [queryClient]);
  return null;
}
