import { z } from 'zod';
import { defineJob } from '../../jobs/job.ts';

/** Works on a refresh until it ends; a worker that dies is followed by another that goes on from the last page. */
export const SYNC_RUN = {
  name: 'sync.run',
  payload: z.object({ runId: z.uuid() }),
  /** For what is not the source's fault: a database that is away, a worker that was killed. */
  retries: 8,
  concurrency: 1,
} as const;

export const syncRunJob = (work: (runId: string, signal: AbortSignal, lastAttempt: boolean) => Promise<void>) =>
  defineJob({ ...SYNC_RUN, run: ({ runId }, { signal, lastAttempt }) => work(runId, signal, lastAttempt) });
