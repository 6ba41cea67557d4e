import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { userQuery } from '#web/features/session/session.ts';
import { onSessionEnded } from '#web/lib/call.ts';
import { createQueryClient } from '#web/lib/query-client.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Routes } from './routes.tsx';

const Toaster = lazy(() => import('#web/ui/feedback/toaster.tsx').then((m) => ({ default: m.Toaster })));

export function App() {
  const [queryClient] = useState(createQueryClient);
  // Without a user, `Protected` redirects to the login.
  useEffect(() => onSessionEnded(() => queryClient.setQueryData(userQuery.queryKey, null)), [queryClient]);

  return (
    <QueryClientProvider client={queryClient}>
      <ErrorBoundary>
        <Routes />
      </ErrorBoundary>
      <Suspense>
        <Toaster />
      </Suspense>
    </QueryClientProvider>
  );
}
