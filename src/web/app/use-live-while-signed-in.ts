import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { userQuery } from '#web/features/session/session.ts';
import { live } from '#web/lib/live.ts';

/**
 * Keeps the socket open while the shell is shown. After a gap everything is read again: messages were missed. So it is when interviews have gone.
 * The server closes the socket of a session that has ended, so a closed one asks who is signed in: nothing stays in view after
 * signing out in another tab.
 */
export function useLiveWhileSignedIn(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let missed = false;
    const unwatch = live.watchConnected((connected) => {
      if (connected && missed) queryClient.invalidateQueries();
      if (!connected) queryClient.invalidateQueries({ queryKey: userQuery.queryKey });
      missed = !connected;
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
