import type { Connection, Setup } from '#contracts/setup.ts';
import { type FunnelSource, SOURCES } from '#contracts/sources.ts';
import type { ConnectedAts } from '#server/features/ats/connected-ats.service.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { Sync } from '#server/features/sync/sync.service.ts';

export interface SetupDeps {
  funnels: Pick<Funnels, 'findSetup'>;
  sync: Pick<Sync, 'hasRefreshed'>;
  ats: Pick<ConnectedAts, 'findSetup'>;
  connections: Record<Connection, boolean>;
  sources: FunnelSource[];
}

/** Reports what is set up, for the checklist of the first run. */
export const findSetup =
  ({ funnels, sync, ats, connections, sources }: SetupDeps) =>
  async (): Promise<Setup> => {
    const [{ exists, hasActive, sources: used }, refreshed, atsSetup] = await Promise.all([
      funnels.findSetup(),
      sync.hasRefreshed(),
      ats.findSetup(),
    ]);
    // A source without variables is connected by a funnel.
    const isServiceSet = sources.some((source) => SOURCES[source].variables.length > 0);
    const interviewService = isServiceSet || used.some((source) => sources.includes(source));
    const ours = { interviewService, sources, funnel: exists, activeFunnel: hasActive, refreshed };
    return { ...connections, ...atsSetup, ...ours };
  };
