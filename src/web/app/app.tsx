import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { userQuery } from '#web/features/session/session.ts';
import { onSessionEvent } from '#web/lib/call.ts';
import { useIsOutdated } from '#web/lib/new-version.ts';
import { Toaster } from '#web/ui/feedback/toaster.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Routes } from './routes.tsx';

export function App({ queryClient }: { queryClient: QueryClient }) {
  useEffect(
    () =>
      onSessionEvent((event) => {
        // Without a user, `Protected` redirects to the login. A new role changes what the screens
        // offer.
        if (event === 'ended') queryClient.setQueryData(userQuery.queryKey, null);
        else queryClient.invalidateQueries({ queryKey: userQuery.queryKey });
      }),
    [queryClient],
  );

  return (
    <QueryClientProvider client={queryClient}>
      <ErrorBoundary>
        <Routes />
      </ErrorBoundary>
      <Toaster />
      <NewVersionBanner />
    </QueryClientProvider>
  );
}

/** Shown on every screen once the server serves a newer build than this tab runs. */
function NewVersionBanner() {
  const isOutdated = useIsOutdated();
  return (
    <div aria-live="polite" className="fixed bottom-0 left-0 z-30 p-3 sm:p-6">
      {isOutdated && (
        <div className="bordered flex animate-rise-in items-center gap-3 rounded-lg bg-raised py-2 pr-2 pl-4 shadow-pop">
          A new version is available.
          <Button size="sm" variant="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        </div>
      )}
    </div>
  );
}
