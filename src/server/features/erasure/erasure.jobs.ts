import { z } from 'zod';

/**
 * More than two days with the delays between them: a used-up quota is renewed at midnight
 * Pacific time.
 */
const RETRIES = 3_000;

export const REMOVE_VIDEO = {
  name: 'candidates.remove-video',
  payload: z.object({ videoId: z.string() }),
  retries: RETRIES,
  concurrency: 1,
};

export const REMOVE_UPLOAD = {
  name: 'candidates.remove-upload',
  payload: z.object({
    session: z.object({ address: z.string(), sizeBytes: z.int(), etag: z.string() }),
    isErased: z.boolean(),
  }),
  retries: RETRIES,
  concurrency: 1,
};
