import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageAnswer } from './fields.ts';

export const TIMEFRAMES = ['future', 'past', 'all'] as const;
export const Timeframe = z.enum(TIMEFRAMES, { error: 'must be future, past or all' });
export type Timeframe = z.infer<typeof Timeframe>;

/** The state of the running refresh, or of the last one. */
export const RefreshStatus = z.object({
  inProgress: z.boolean(),
  /** Interviews read so far, and how many the service says there are. `total` may change while the refresh runs. */
  processed: z.int(),
  total: z.int(),
  downloadedFiles: z.int(),
  totalFiles: z.int(),
  /** What is being worked on, for people. */
  current: z.string().nullable(),
  /** Why the last refresh failed; stays until the next start or until somebody dismisses it. */
  error: z.string().nullable(),
  /** The last outcome, for people. */
  message: z.string().nullable(),
  cancelRequested: z.boolean(),
});
export type RefreshStatus = z.infer<typeof RefreshStatus>;

export const startSync = endpoint({
  method: 'GET',
  path: '/api/interviews/sync',
  summary: 'Starts a refresh of the active funnel',
  changesState: true,
  query: z.object({ timeframe: Timeframe.default('all') }),
  response: z.object({ message: z.string(), status: RefreshStatus }),
});

export const syncStatus = endpoint({
  method: 'GET',
  path: '/api/interviews/sync/status',
  summary: 'The state of the running or last refresh',
  response: RefreshStatus,
});

export const cancelSync = endpoint({
  method: 'POST',
  path: '/api/interviews/sync/cancel',
  summary: 'Asks the running refresh to stop after its current batch',
  response: MessageAnswer,
});

export const dismissSyncError = endpoint({
  method: 'POST',
  path: '/api/interviews/sync/dismiss',
  summary: 'Clears the error text of the last refresh',
  response: RefreshStatus,
});
