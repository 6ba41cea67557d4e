import { z } from 'zod';

export const FINISH_UPLOAD = {
  name: 'uploads.finish',
  payload: z.object({ uploadId: z.string() }),
  /**
   * More than a day with the delays between them, because a virus scanner or a store may be
   * unavailable.
   */
  retries: 1_500,
  concurrency: 2,
} as const;
