import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { RefreshStatus } from '#contracts/sync.ts';
import { listInterviews } from '#web/lib/api.ts';

const LEAST_MS = 2_000;

/** While a refresh writes interviews the list is read again: at the first ones at once, then at most every 2 s, so that one can watch them arrive. */
export function useArrivingInterviews(status: RefreshStatus | null): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const unread = useRef(false);
  const arrived = status?.inProgress ? status.processed + status.downloadedFiles : 0;

  useEffect(() => {
    const read = () => {
      unread.current = false;
      // An answer that is on its way is nearly as new: let it arrive instead of asking over and over.
      client.invalidateQueries({ queryKey: [listInterviews.path] }, { cancelRefetch: false });
      timer.current = setTimeout(() => {
        timer.current = undefined;
        if (unread.current) read();
      }, LEAST_MS);
    };
    if (arrived === 0) return;
    if (timer.current === undefined) read();
    else unread.current = true;
  }, [arrived, client]);

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
}
