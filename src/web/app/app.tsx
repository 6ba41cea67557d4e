import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { userQuery } from '#web/features/session/session.ts';
import { onSessionEnded } from '#web/lib/call.ts';
import { createQueryClient } from '#web/lib/query-client.ts';
import { Toaster } from '#web/ui/feedback/toaster.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { NewVersionBanner } from './new-version-banner.tsx';
import { Routes } from './routes.tsx';

export function App() {
  const [queryClient] = useState(createQueryClient);
  // Without a user, `Protected` redirects to the login.
  useEffect(() => onSessionEnded(() => queryClient.setQueryData(userQuery.queryKey, null)), [queryClient]);

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
