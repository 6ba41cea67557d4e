import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Router } from 'wouter';
import { ErrorBoundary } from '#web/app/error-boundary.tsx';
import { Routes } from '#web/app/routes.tsx';
import { userQuery } from '#web/features/session/session.ts';
import { onSessionEnded } from '#web/lib/call.ts';
import { aroundModalSteps } from '#web/lib/modal-steps.ts';
import { createQueryClient } from '#web/lib/query-client.ts';
import { Toaster } from '#web/lib/toast.tsx';

export function App() {
  const [queryClient] = useState(createQueryClient);
  // An expired session drops the user, and the guard leads to the login.
  useEffect(() => onSessionEnded(() => queryClient.setQueryData(userQuery.queryKey, null)), [queryClient]);

  return (
    <QueryClientProvider client={queryClient}>
      <ErrorBoundary>
        <Router aroundNav={aroundModalSteps}>
          <Routes />
        </Router>
      </ErrorBoundary>
      <Toaster />
    </QueryClientProvider>
  );
}
