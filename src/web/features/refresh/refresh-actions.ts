import { useQueryClient } from '@tanstack/react-query';
import { refreshStatusQuery, setRefreshStatus } from '#web/features/refresh/refresh-status.ts';
import { cancelSync, dismissSyncError, startSync } from '#web/lib/api.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { toast } from '#web/lib/toast.tsx';
import { useAction } from '#web/lib/use-action.ts';

const alreadyRunning = ({ code, message }: ApiError) =>
  code === 'sync_running' || message.includes('already in progress');

export function useStartRefresh({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  return useAction(startSync, {
    onSuccess: ({ message, status }) => {
      setRefreshStatus(client, status);
      toast({ title: 'Refresh Started', description: message });
      onDone();
    },
    onError: (error) => {
      onDone();
      if (!alreadyRunning(error)) {
        toast({ title: 'Refresh Failed', description: error.message, variant: 'destructive' });
        return;
      }
      toast({
        title: 'Refresh Already Running',
        description: 'A refresh operation is already in progress. You can view its status below.',
      });
      // Reading it once starts the polling: it says that a refresh is in progress.
      client.invalidateQueries({ queryKey: refreshStatusQuery.queryKey });
    },
  });
}

export function useCancelRefresh() {
  const client = useQueryClient();
  return useAction(cancelSync, {
    onSuccess: () => {
      toast({
        title: 'Cancellation Requested',
        description: 'The refresh operation will stop after the current batch completes.',
      });
      client.invalidateQueries({ queryKey: refreshStatusQuery.queryKey });
    },
    onError: (error) => toast({ title: 'Cancel Failed', description: error.message, variant: 'destructive' }),
  });
}

export function useDismissRefreshError() {
  const client = useQueryClient();
  return useAction(dismissSyncError, {
    onStart: () => {
      const before = client.getQueryData(refreshStatusQuery.queryKey);
      if (before) setRefreshStatus(client, { ...before, error: null });
      return () => before && setRefreshStatus(client, before);
    },
    onSuccess: (status) => setRefreshStatus(client, status),
    onError: (error) => toast({ title: 'Error', description: error.message, variant: 'destructive' }),
  });
}
