import { type Selectable, sql } from 'kysely';
import type { Timeframe } from '#contracts/sync.ts';
import { anyIdOf, type Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';
import type { CreatedRange } from '#server/ports/interview-source.ts';
import { CANCEL_REQUESTED, lostAttempts, type ReleaseColumns, RunLost } from '#server/runs/run.ts';

export type RunRow = Selectable<DB['sync_run']>;

/** A run and the process that has claimed it. */
export type ClaimedSyncRun = RunRow & { worker: string };

/**
 * The cause of a run: a user who pressed Refresh, the schedule of its funnel, or interviews that
 * the service announced.
 */
export type RunCause = 'user' | 'schedule' | 'event';

/** The status of users' runs, which `sync_run_one_running` allows once, and of automatic runs. */
const IN_PROGRESS = ['running', 'automatic'];

export interface AutomaticRun {
  timeframe: Timeframe;
  cause: Exclude<RunCause, 'user'>;
  /** The largest number of the announced interviews that the run reads. */
  announcedUpTo?: number | null;
}

/** The place of a run in a queue of refreshes, from 1. */
export interface QueuePlace {
  id: string;
  position: number;
  total: number;
}

/**
 * Inserts the run of a user. Returns undefined when one is in progress: the unique index
 * `sync_run_one_running` is the lock.
 */
export async function insertSyncRun(
  tx: Executor,
  funnelId: number,
  { timeframe, queue }: { timeframe: Timeframe; queue: QueuePlace | null },
): Promise<RunRow | undefined> {
  const place = queue && { queue_id: queue.id, queue_position: queue.position, queue_total: queue.total };
  return tx
    .insertInto('sync_run')
    .values({ ...(await newRun(tx, funnelId, timeframe)), ...place })
    .onConflict((conflict) => conflict.column('status').where('status', '=', 'running').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** The caller ensures that no automatic run of the funnel is in progress. */
export async function insertAutomaticRun(
  tx: Executor,
  funnelId: number,
  { timeframe, cause, announcedUpTo = null }: AutomaticRun,
): Promise<RunRow> {
  const run = await newRun(tx, funnelId, timeframe);
  // Announced interviews may have any time of creation.
  const range = cause === 'event' ? { created_after: null, created_before: null } : {};
  return tx
    .insertInto('sync_run')
    .values({ ...run, ...range, cause, status: 'automatic', announced_up_to: announcedUpTo })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function newRun(tx: Executor, funnelId: number, timeframe: Timeframe) {
  await updateRunsAhead(tx);
  const range = await findCreatedRange(tx, funnelId, timeframe);
  return {
    funnel_id: funnelId,
    timeframe,
    created_after: range.createdAfter,
    created_before: range.createdBefore,
    current: 'Connecting to the interview service...',
  };
}

/** True when a complete refresh of everything started after `moment`. */
export async function hasReadAllSince(tx: Executor, funnelId: number, moment: Date): Promise<boolean> {
  const run = await completeRuns(tx, funnelId)
    .select('id')
    .where('timeframe', '=', 'all')
    .where('started_at', '>', moment)
    .limit(1)
    .executeTakeFirst();
  return run !== undefined;
}

const completeRuns = (tx: Executor, funnelId: number) =>
  tx
    .selectFrom('sync_run')
    .where('funnel_id', '=', funnelId)
    .where('status', '=', 'completed')
    .where('all_read', '=', true)
    .where('cancel_requested_at', 'is', null);

/** Counts the runs of announced interviews that have read the list since `moment`. */
export async function countListsOfEvents(tx: Executor, funnelId: number, moment: Date): Promise<number> {
  const runs = await tx
    .selectFrom('sync_run')
    .select('id')
    .where('funnel_id', '=', funnelId)
    .where('cause', '=', 'event')
    .where('timeframe', '=', 'all')
    .where('started_at', '>', moment)
    .execute();
  return runs.length;
}

/**
 * `future` and `past` are divided by the start of the funnel's last complete refresh. `past` and
 * canceled refreshes and refreshes of announced interviews do not count: `future` would never read
 * what they left out.
 */
async function findCreatedRange(tx: Executor, funnelId: number, timeframe: Timeframe): Promise<CreatedRange> {
  const last = await completeRuns(tx, funnelId)
    .select('started_at')
    .where('cause', '<>', 'event')
    .where('timeframe', 'in', ['future', 'all'])
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const moment = last?.started_at ?? null;
  return {
    createdAfter: timeframe === 'future' ? moment : null,
    createdBefore: timeframe === 'past' ? moment : null,
  };
}

/**
 * Runs that started while the clock was ahead. They are no longer the latest ones, and their time
 * does not divide `future` from `past`.
 */
async function updateRunsAhead(tx: Executor): Promise<void> {
  await tx
    .updateTable('sync_run')
    .set({ started_at: sql<Date>`now() - interval '1 second'`, all_read: false })
    .where('started_at', '>', sql<Date>`now()`)
    .where('finished_at', 'is not', null)
    .execute();
}

/** Marks the ended runs of the funnel as incomplete, because they have read another list. */
export async function updateRunsIncomplete(tx: Executor, funnelId: number): Promise<void> {
  await tx
    .updateTable('sync_run')
    .set({ all_read: false })
    .where('funnel_id', '=', funnelId)
    .where('finished_at', 'is not', null)
    .execute();
}

/** The latest run of a user in these funnels; null: in any. */
export const findLatestRun = (db: Executor, funnelIds: readonly number[] | null): Promise<RunRow | undefined> =>
  db
    .selectFrom('sync_run')
    .selectAll()
    .where('cause', '=', 'user')
    .$if(funnelIds !== null, (query) => query.where('funnel_id', '=', anyIdOf(funnelIds ?? [])))
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Lists all runs in progress, or the runs of one funnel. */
export const listRunningRuns = (db: Executor, funnelId?: number): Promise<RunRow[]> =>
  db
    .selectFrom('sync_run')
    .selectAll()
    .where('status', 'in', IN_PROGRESS)
    .$if(funnelId !== undefined, (query) => query.where('funnel_id', '=', funnelId as number))
    .execute();

export const findSyncRun = (db: Executor, runId: string): Promise<RunRow | undefined> =>
  db.selectFrom('sync_run').selectAll().where('id', '=', runId).executeTakeFirst();

export const lockSyncRun = (tx: Executor, runId: string): Promise<RunRow | undefined> =>
  tx.selectFrom('sync_run').selectAll().where('id', '=', runId).forUpdate().executeTakeFirst();

/**
 * Claims the run for a process. The previous owner is fenced off at its next write. Undefined when
 * the run has ended.
 */
export async function claimSyncRun(db: Executor, runId: string, worker: string): Promise<ClaimedSyncRun | undefined> {
  const run = await db
    .updateTable('sync_run')
    .set({ worker, lost_attempts: lostAttempts('worker', worker) })
    .where('id', '=', runId)
    .where('status', 'in', IN_PROGRESS)
    .returningAll()
    .executeTakeFirst();
  return run && { ...run, worker };
}

export const releaseSyncRun = (db: Executor, { id, worker }: ClaimedSyncRun, columns: ReleaseColumns) =>
  db
    .updateTable('sync_run')
    .set({ ...columns, worker: null })
    .where('id', '=', id)
    .where('worker', '=', worker)
    .execute();

/** The payloads of the runs in progress with one of these causes. */
export const openSyncRuns = (causes: readonly RunCause[]) =>
  sql`SELECT jsonb_build_object('runId', id) AS payload FROM sync_run
    WHERE status = ANY(${IN_PROGRESS}::text[]) AND cause = ANY(${causes}::text[])`;

/** Selects runs in progress by their cause and their funnels. Null: all funnels. */
export interface CancelFilter {
  funnelIds?: readonly number[] | null;
  cause?: 'user' | 'automatic';
}

/** Requests the selected runs to stop, and returns them. */
export const updateCancelRequested = (tx: Executor, { funnelIds = null, cause }: CancelFilter): Promise<RunRow[]> =>
  tx
    .updateTable('sync_run')
    .set(CANCEL_REQUESTED)
    .where('status', 'in', IN_PROGRESS)
    .$if(funnelIds !== null, (query) => query.where('funnel_id', '=', anyIdOf(funnelIds ?? [])))
    .$if(cause !== undefined, (query) => query.where('cause', cause === 'user' ? '=' : '<>', 'user'))
    .returningAll()
    .execute();

/** Dismisses the errors of these funnels; null: of all. */
export async function updateErrorsDismissed(tx: Executor, funnelIds: readonly number[] | null): Promise<void> {
  await tx
    .updateTable('sync_run')
    .set({ error_dismissed: true })
    .where('status', '=', 'failed')
    .where('error_dismissed', '=', false)
    .$if(funnelIds !== null, (query) => query.where('funnel_id', '=', anyIdOf(funnelIds ?? [])))
    .execute();
}

/** The amounts that a page or a file adds to the counts of its run. */
export type RunProgress = Partial<
  Record<
    | 'processed'
    | 'new_count'
    | 'updated_count'
    | 'archived_count'
    | 'skipped_count'
    | 'field_change_count'
    | 'total_files'
    | 'downloaded_files'
    | 'failed_files',
    number
  >
>;

/**
 * Returns the updated run. Resets `lost_attempts` after a file once all pages are written. Before
 * that, a file shows nothing about the page that may have ended the process.
 * @throws RunLost, which rolls the transaction back
 */
export async function updateProgress(
  tx: Executor,
  { id, worker }: Pick<ClaimedSyncRun, 'id' | 'worker'>,
  added: RunProgress,
  set: { total?: number; cursor?: object | null; all_read?: boolean; current?: string; lost_attempts?: 0 } = {},
): Promise<RunRow> {
  const sums = Object.fromEntries(
    Object.entries(added).map(([column, n]) => [column, sql<number>`${sql.ref(column)} + ${n}`]),
  );
  const { cursor, ...rest } = set;
  return tx
    .updateTable('sync_run')
    .set({
      ...sums,
      lost_attempts: sql`CASE WHEN all_read THEN 0 ELSE lost_attempts END`,
      ...rest,
      ...(cursor !== undefined && { cursor: cursor === null ? null : JSON.stringify(cursor) }),
    })
    .where('id', '=', id)
    .where('worker', '=', worker)
    .where('status', 'in', IN_PROGRESS)
    .returningAll()
    .executeTakeFirstOrThrow(RunLost);
}

/**
 * Clears the place in the source, which may be the id of an interview. Undefined when the run has
 * ended.
 */
export const updateSyncRunEnd = (
  tx: Executor,
  runId: string,
  end: { status: 'completed' | 'failed'; message: string | null; error: string | null },
): Promise<RunRow | undefined> =>
  tx
    .updateTable('sync_run')
    .set({ ...end, cursor: null, current: null, finished_at: sql<Date>`now()` })
    .where('id', '=', runId)
    .where('status', 'in', IN_PROGRESS)
    .returningAll()
    .executeTakeFirst();

/** The progress of a running refresh may contain the name of an erased candidate. */
export async function redactProgress(tx: Executor, names: readonly string[]): Promise<void> {
  const progress = names.map((name) => `Processing ${name}`);
  await sql`UPDATE sync_run SET current = 'Processing…' WHERE current = ANY(${progress}::text[])`.execute(tx);
}

/** `funnelIds` null: any funnel. */
export async function hasCompletedRun(db: Executor, funnelIds: readonly number[] | null): Promise<boolean> {
  const run = await db
    .selectFrom('sync_run')
    .select('id')
    .where('status', '=', 'completed')
    .$if(funnelIds !== null, (query) => query.where('funnel_id', '=', anyIdOf(funnelIds ?? [])))
    .limit(1)
    .executeTakeFirst();
  return run !== undefined;
}

/** Keeps the last complete run of each funnel, because its time divides `future` from `past`. */
export const deleteOldAutomaticRuns = (db: Executor, before: Date) =>
  sql`
    DELETE FROM sync_run AS old
    WHERE cause <> 'user' AND finished_at IS NOT NULL AND started_at < ${before} AND (cause = 'event' OR EXISTS (
      SELECT FROM sync_run AS newer
      WHERE newer.funnel_id = old.funnel_id AND newer.started_at > old.started_at
        AND newer.status = 'completed' AND newer.all_read AND newer.cancel_requested_at IS NULL
        AND newer.cause <> 'event' AND newer.timeframe IN ('future', 'all')))
  `.execute(db);
