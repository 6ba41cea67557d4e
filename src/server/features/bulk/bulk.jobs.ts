import { z } from 'zod';

export const BULK_RUN = {
  name: 'bulk.run',
  payload: z.object({ runId: z.int() }),
  /** For an unavailable database or a killed worker. */
  retries: 8,
  concurrency: 1,
} as const;
