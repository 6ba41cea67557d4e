import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageResponse } from './fields.ts';

export const Timeframe = z.enum(['future', 'past', 'all'], { error: 'must be future, past or all' });
export type Timeframe = z.infer<typeof Timeframe>;

export const RefreshStatus = z.object({
  inProgress: z.boolean(),
  /**
   * Interviews read so far, and the number that the service reports. `total` may change during the
   * refresh.
   */
  processed: z.int(),
  total: z.int(),
  downloadedFiles: z.int(),
  totalFiles: z.int(),
  /** The current activity, for users. */
  current: z.string().nullable(),
  /** Why the last refresh failed, until it is dismissed or the next refresh starts. */
  error: z.string().nullable(),
  /** The last outcome, for users. */
  message: z.string().nullable(),
  /** Also true after the end of a refresh that was canceled. */
  cancelRequested: z.boolean(),
  /** The funnel and the timeframe of the running or last refresh. Null before the first one. */
  funnelId: z.int().nullable(),
  timeframe: Timeframe.nullable(),
  /** The position of the refresh, from 1, when all jobs are refreshed. Otherwise null. */
  queue: z.object({ position: z.int(), total: z.int() }).nullable(),
});
export type RefreshStatus = z.infer<typeof RefreshStatus>;

export const startSync = endpoint({
  method: 'GET',
  path: '/api/interviews/sync',
  summary: 'Starts a refresh of the active funnel',
  role: 'recruiter',
  scope: 'process',
  changesState: true,
  query: z.object({ timeframe: Timeframe.default('all') }),
  response: z.object({ message: z.string(), status: RefreshStatus }),
});

export const startSyncOfAll = endpoint({
  method: 'POST',
  path: '/api/interviews/sync/all',
  summary: 'Starts refreshes of all funnels, one after another',
  role: 'recruiter',
  scope: 'process',
  response: z.object({ message: z.string(), status: RefreshStatus }),
});

export const getSyncStatus = endpoint({
  method: 'GET',
  path: '/api/interviews/sync/status',
  summary: 'The state of the running or last refresh',
  role: 'reviewer',
  scope: 'read',
  response: RefreshStatus,
});

export const cancelSync = endpoint({
  method: 'POST',
  path: '/api/interviews/sync/cancel',
  summary: 'Cancels the running refresh after its current batch',
  role: 'recruiter',
  scope: 'process',
  response: MessageResponse,
});

export const dismissSyncError = endpoint({
  method: 'POST',
  path: '/api/interviews/sync/dismiss',
  summary: 'Clears the error of the last refresh',
  role: 'recruiter',
  scope: 'process',
  response: RefreshStatus,
});
