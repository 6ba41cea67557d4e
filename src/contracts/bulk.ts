import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { InterviewId, Moment, RowId, RowPath } from './fields.ts';
import { DestinationFields, ListQuery } from './interviews.ts';
import { MAX_BULK_ITEMS } from './rules/limits.ts';

/**
 * The action of a bulk run on each interview. `process` converts and summarizes, which transcribes
 * first. `retry` starts the failed steps again. `undoDestination` restores the destinations and
 * notes that a `setDestination` run replaced, unless they have been changed since. `sendToAts`
 * writes notes into the ATS, and skips interviews for which it finds none or several candidates.
 */
export const BULK_ACTIONS = [
  'convert',
  'transcribe',
  'summarize',
  'process',
  'retry',
  'setDestination',
  'undoDestination',
  'sendToAts',
  'archive',
  'unarchive',
] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];
const Action = z.enum(BULK_ACTIONS);

/** The filters of the list, without its page. */
const BulkFilter = ListQuery.omit({ page: true, limit: true, sort: true, texts: true });
export type BulkFilter = z.output<typeof BulkFilter>;

/**
 * The interviews of a bulk run:
 * - `ids`: these interviews
 * - `filter`: those that the list finds, if their number is still `expected`
 * - `run`: those that an earlier run changed, to undo it
 */
const BulkTarget = z.union(
  [
    z.strictObject({ ids: z.array(InterviewId).min(1).max(MAX_BULK_ITEMS) }),
    z.strictObject({ filter: BulkFilter, expected: z.number().int().min(1).max(MAX_BULK_ITEMS) }),
    z.strictObject({ run: RowId }),
  ],
  {
    error: `must be { ids }, { filter, expected } or { run }, with 1 to ${MAX_BULK_ITEMS.toLocaleString('en-US')} interviews`,
  },
);
export type BulkTarget = z.output<typeof BulkTarget>;

const outcomes = ['done', 'started', 'failed', 'skipped'] as const;
export type BulkOutcome = (typeof outcomes)[number];

export const BulkRun = z.object({
  id: z.int(),
  action: Action,
  /** `running` until every interview has an outcome and every started step has ended. */
  status: z.enum(['running', 'completed', 'canceled', 'failed']),
  total: z.int(),
  /** Changed, or every started step has completed. */
  done: z.int(),
  /** A started step is in progress. */
  started: z.int(),
  /** A started step has failed. */
  failed: z.int(),
  skipped: z.int(),
  cancelRequested: z.boolean(),
  /** Why a failed run ended before its last interview. */
  error: z.string().nullable(),
  /** The account that started it; null for the server. */
  startedBy: z.object({ id: z.int(), username: z.string() }).nullable(),
  createdAt: Moment,
  finishedAt: Moment.nullable(),
});
export type BulkRun = z.infer<typeof BulkRun>;

/** A run with the reasons of what it skipped and what failed. */
export const BulkReport = BulkRun.extend({
  reasons: z.array(z.object({ outcome: z.enum(outcomes), reason: z.string(), count: z.int() })),
  /** The first skipped and failed interviews. */
  items: z.array(
    z.object({ interviewId: z.string(), title: z.string(), outcome: z.enum(outcomes), reason: z.string() }),
  ),
});
export type BulkReport = z.infer<typeof BulkReport>;

export const startBulkRun = endpoint({
  method: 'POST',
  path: '/api/bulk',
  summary: 'Applies an action to many interviews',
  role: 'recruiter',
  scope: 'process',
  status: 202,
  body: z
    .object({
      action: Action,
      target: BulkTarget,
      ...DestinationFields.partial().shape,
      /** Whether `setDestination` keeps or replaces the destination of interviews that have one. */
      existing: z.enum(['keep', 'replace']).default('keep'),
    })
    .refine(({ action, destinationId }) => action !== 'setDestination' || destinationId !== undefined, {
      path: ['destinationId'],
      error: 'is required',
    })
    .refine(({ action, target }) => action !== 'undoDestination' || 'run' in target, {
      path: ['target'],
      error: 'must be { run } for undoDestination',
    }),
  response: BulkRun,
});

/** The selected interviews, before a bulk run changes them. */
export const checkBulkTarget = endpoint({
  method: 'POST',
  path: '/api/bulk/check',
  summary: 'Counts the interviews of a bulk run, and those that have a destination',
  role: 'recruiter',
  scope: 'process',
  body: z.object({ target: BulkTarget }),
  response: z.object({ total: z.int(), withDestination: z.int() }),
});

export const getBulkRun = endpoint({
  method: 'GET',
  path: '/api/bulk/:id',
  summary: 'The progress of a bulk run, and what it skipped and why',
  role: 'recruiter',
  scope: 'process',
  params: RowPath,
  response: BulkReport,
});

export const cancelBulkRun = endpoint({
  method: 'POST',
  path: '/api/bulk/:id/cancel',
  summary: 'Cancels a bulk run: interviews and steps that have not begun are left as they are',
  role: 'recruiter',
  scope: 'process',
  params: RowPath,
  response: BulkRun,
});
