import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '#web/lib/api-error.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { refreshStatusQuery, setRefreshStatus } from './refresh-status.ts';

const isAlreadyRunning = ({ code, message }: ApiError) =>
  code === 'sync_running' || message.includes('already in progress');

export function useStartRefresh({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient();
  return useAction('GET /api/interviews/sync', {
    onSuccess: ({ message, status }) => {
      setRefreshStatus(queryClient, status);
      toast({ title: 'Refresh Started', description: message });
      onDone();
    },
    onError: (error) => {
      onDone();
      showStartFailure(queryClient, error);
    },
  });
}

function showStartFailure(queryClient: QueryClient, error: ApiError): void {
  if (!isAlreadyRunning(error)) {
    toast({ title: 'Refresh Failed', description: error.message, variant: 'destructive' });
    return;
  }
  toast({
    title: 'Refresh Already Running',
    description: 'A refresh operation is already in progress. You can view its status below.',
  });
  // One read starts the polling, because the status is in progress.
  queryClient.invalidateQueries({ queryKey: refreshStatusQuery.queryKey });
}

/** Refreshes all funnels, one after another. */
export function useRefreshAll() {
  const queryClient = useQueryClient();
  return useAction('POST /api/interviews/sync/all', {
    onSuccess: ({ message, status }) => {
      setRefreshStatus(queryClient, status);
      toast({ title: 'Refresh Started', description: message });
    },
    onError: (error) => showStartFailure(queryClient, error),
  });
}

export function useCancelRefresh() {
  const queryClient = useQueryClient();
  return useAction('POST /api/interviews/sync/cancel', {
    onSuccess: () => {
      toast({
        title: 'Cancellation Requested',
        description: 'The refresh operation will stop after the current batch completes.',
        // A refresh that stops immediately must not hide it.
        needsReading: true,
      });
      queryClient.invalidateQueries({ queryKey: refreshStatusQuery.queryKey });
    },
    onError: (error) => toast({ title: 'Cancel Failed', description: error.message, variant: 'destructive' }),
  });
}

export function useDismissRefreshError() {
  const queryClient = useQueryClient();
  return useAction('POST /api/interviews/sync/dismiss', {
    onStart: () => {
      const before = queryClient.getQueryData(refreshStatusQuery.queryKey);
      if (before) setRefreshStatus(queryClient, { ...before, error: null });
      return () => before && setRefreshStatus(queryClient, before);
    },
    onSuccess: (status) => setRefreshStatus(queryClient, status),
    onError: (error) => toast({ title: 'Error', description: error.message, variant: 'destructive' }),
  });
}
