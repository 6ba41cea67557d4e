import { z } from 'zod';

const RUN = {
  payload: z.object({ runId: z.uuid() }),
  /** For failures that the source does not cause: an unavailable database, a killed worker. */
  retries: 8,
  /** A page that ends one process would end every further one. */
  maxLostAttempts: 2,
};

export const SYNC_RUN = { ...RUN, name: 'sync.run', concurrency: 1 } as const;

/**
 * Automatic runs have separate workers, so that a user's run never waits for them. Further runs
 * than these of a process wait.
 */
export const AUTOMATIC_RUN = { ...RUN, name: 'sync.automatic', concurrency: 2 } as const;
