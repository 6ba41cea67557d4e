import { z } from 'zod';
import { defineJob, type JobContext } from '#server/jobs/job.ts';

export const FINISH_UPLOAD = { name: 'uploads.finish', payload: z.object({ uploadId: z.string() }) } as const;

/**
 * More than a day with the delays between them, because a virus scanner or a store may be
 * unavailable.
 */
const RETRIES = 1_500;

export const finishUploadJob = (finish: (uploadId: string, context: JobContext) => Promise<void>) =>
  defineJob({
    ...FINISH_UPLOAD,
    retries: RETRIES,
    concurrency: 2,
    run: ({ uploadId }, context) => finish(uploadId, context),
  });
