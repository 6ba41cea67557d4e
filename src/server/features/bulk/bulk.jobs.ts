import { z } from 'zod';
import { defineJob, type JobContext } from '#server/jobs/job.ts';

export const BULK_RUN = { name: 'bulk.run', payload: z.object({ runId: z.int() }) } as const;

/** For an unavailable database or a killed worker. */
const RETRIES = 8;

export const bulkRunJob = (continueRun: (runId: number, context: JobContext) => Promise<void>) =>
  defineJob({
    ...BULK_RUN,
    retries: RETRIES,
    concurrency: 1,
    run: ({ runId }, context) => continueRun(runId, context),
  });
