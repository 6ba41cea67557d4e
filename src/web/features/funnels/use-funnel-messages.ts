import { useFunnelsChanged } from '#web/features/funnels/funnel-actions.ts';
import { useLive } from '#web/lib/live.ts';

/** Which funnels there are, and which is active, is the same for everybody: what a colleague changes shows by itself. */
export function useFunnelMessages(): void {
  const changed = useFunnelsChanged();
  useLive(({ type }) => {
    if (type === 'funnels-changed') changed();
  });
}
