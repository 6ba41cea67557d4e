import { z } from 'zod';

export const PUSH_TO_ATS = {
  name: 'ats.push',
  payload: z.object({ pushId: z.int() }),
  /** For database outages and killed workers. ATS failures follow their own schedule. */
  retries: 20,
  concurrency: 4,
} as const;

export const REMOVE_NOTE = { name: 'ats.remove-note', payload: z.object({ removalId: z.int() }) };
