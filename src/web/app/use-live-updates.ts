import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useFunnelMessages } from '#web/features/funnels/activate-funnel.ts';
import { useEditMessages, useStepMessages } from '#web/features/interviews/interview-messages.ts';
import { useBulkMessages } from '#web/features/interviews/selection/bulk-runs.ts';
import { useRefreshMessages } from '#web/features/refresh/use-refresh-messages.ts';
import { userQuery } from '#web/features/session/session.ts';
import { live } from '#web/lib/live.ts';
import { checkVersion } from '#web/lib/new-version.ts';

/**
 * Runs on every page, so that toasts appear everywhere and lists are current when the user returns.
 */
export function useLiveUpdates(): void {
  useLiveWhileSignedIn();
  useRefreshMessages();
  useStepMessages();
  useEditMessages();
  useBulkMessages();
  useFunnelMessages();
}

/**
 * Keeps the socket open while the shell is visible. After a reconnect, and when interviews were
 * deleted, all data is read again. The server closes the socket of an ended session, so a closed
 * socket checks the session: nothing stays visible after signing out in another tab.
 */
function useLiveWhileSignedIn(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const unwatch = live.watch(() => {
      if (!live.connected) queryClient.invalidateQueries({ queryKey: userQuery.queryKey });
      else if (live.hasGap) {
        queryClient.invalidateQueries();
        // The server may have been restarted with a new version.
        checkVersion();
      }
    });
    const unlisten = live.listen(({ type }) => {
      if (type === 'interviews-changed') queryClient.invalidateQueries();
    });
    live.start();
    return () => {
      unwatch();
      unlisten();
      live.stop();
    };
  }, [queryClient]);
}
