import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { RefreshStatus } from '#contracts/sync.ts';

const RELOAD_INTERVAL_MS = 2_000;

/**
 * Reloads the list while a refresh stores interviews: immediately for the first ones, then at most
 * every two seconds.
 */
export function useArrivingInterviews(status: RefreshStatus | null): void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hasUnread = useRef(false);
  const arrived = status?.inProgress ? status.processed + status.downloadedFiles : 0;

  useEffect(() => {
    const reload = () => {
      hasUnread.current = false;
      // A pending response is nearly as new: wait for it instead of starting again.
      queryClient.invalidateQueries({ queryKey: ['/api/interviews'] }, { cancelRefetch: false });
      timer.current = setTimeout(() => {
        timer.current = undefined;
        if (hasUnread.current) reload();
      }, RELOAD_INTERVAL_MS);
    };
    if (arrived === 0) return;
    if (timer.current === undefined) reload();
    else hasUnread.current = true;
  }, [arrived, queryClient]);

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
}
