import { z } from 'zod';
import { defineJob, type JobContext } from '#server/jobs/job.ts';

export const SYNC_RUN = { name: 'sync.run', payload: z.object({ runId: z.uuid() }) } as const;

/** For failures that the source does not cause: an unavailable database, a killed worker. */
const RETRIES = 8;

/** Automatic runs have separate workers, so that a user's run never waits for them. */
export const AUTOMATIC_RUN = { ...SYNC_RUN, name: 'sync.automatic' } as const;

/** Per process. Further runs wait. */
const MAX_AUTOMATIC_RUNS = 2;

export const syncJobs = (continueRun: (runId: string, context: JobContext) => Promise<void>) =>
  [
    { ...SYNC_RUN, concurrency: 1 },
    { ...AUTOMATIC_RUN, concurrency: MAX_AUTOMATIC_RUNS },
  ].map((type) => defineJob({ ...type, retries: RETRIES, run: ({ runId }, context) => continueRun(runId, context) }));
