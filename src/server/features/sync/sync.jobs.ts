import { z } from 'zod';
import { defineJob, type JobContext } from '#server/jobs/job.ts';

export const SYNC_RUN = { name: 'sync.run', payload: z.object({ runId: z.uuid() }) } as const;

/** For failures that the source does not cause: an unavailable database, a killed worker. */
const RETRIES = 8;

export const syncRunJob = (continueRun: (runId: string, context: JobContext) => Promise<void>) =>
  defineJob({
    ...SYNC_RUN,
    retries: RETRIES,
    concurrency: 1,
    run: ({ runId }, context) => continueRun(runId, context),
  });
