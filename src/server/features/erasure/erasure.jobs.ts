import { z } from 'zod';
import { defineJob } from '#server/jobs/job.ts';

export const REMOVE_VIDEO = { name: 'candidates.remove-video', payload: z.object({ videoId: z.string() }) };

export const REMOVE_UPLOAD = {
  name: 'candidates.remove-upload',
  payload: z.object({
    session: z.object({ address: z.string(), sizeBytes: z.int(), etag: z.string() }),
    isErased: z.boolean(),
  }),
};

/**
 * More than two days with the delays between them: a used-up quota is renewed at midnight
 * Pacific time.
 */
const RETRIES = 3_000;

export const removeVideoJob = (removeVideo: (videoId: string, signal: AbortSignal) => Promise<void>) =>
  defineJob({
    ...REMOVE_VIDEO,
    retries: RETRIES,
    concurrency: 1,
    run: ({ videoId }, { signal }) => removeVideo(videoId, signal),
  });

export const removeUploadJob = (
  removeUpload: (upload: z.output<typeof REMOVE_UPLOAD.payload>, signal: AbortSignal) => Promise<void>,
) =>
  defineJob({
    ...REMOVE_UPLOAD,
    retries: RETRIES,
    concurrency: 1,
    run: (upload, { signal }) => removeUpload(upload, signal),
  });
