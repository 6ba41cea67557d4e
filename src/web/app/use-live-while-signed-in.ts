import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { live } from '#web/lib/live.ts';

/** Keeps the socket open while the shell is shown. After a gap everything is read again: messages were missed. */
export function useLiveWhileSignedIn(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let missed = false;
    const unwatch = live.watchConnected((connected) => {
      if (connected && missed) queryClient.invalidateQueries();
      missed = !connected;
    });
    live.start();
    return () => {
      unwatch();
      live.stop();
    };
  }, [queryClient]);
}
