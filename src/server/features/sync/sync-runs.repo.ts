import { sql } from 'kysely';
import type { Timeframe } from '#contracts/sync.ts';
import type { Executor } from '../../db/database.ts';
import type { CreatedRange } from '../../ports/interview-source.ts';
import type { RunRow } from './sync.view.ts';

/** Starts a run, or resolves with nothing when one is running: the index `sync_run_one_running` is the lock. */
export async function insertRun(tx: Executor, funnelId: number, timeframe: Timeframe): Promise<RunRow | undefined> {
  const range = await rangeOf(tx, funnelId, timeframe);
  return tx
    .insertInto('sync_run')
    .values({
      funnel_id: funnelId,
      timeframe,
      created_after: range.createdAfter,
      created_before: range.createdBefore,
      current: 'Connecting to the interview service...',
    })
    .onConflict((conflict) => conflict.column('status').where('status', '=', 'running').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/**
 * "The last refresh" is the start of the funnel's last one that was neither cancelled nor `past`. One that was cancelled does not count,
 * or `future` would never see what it left out, interviews or files.
 */
async function rangeOf(tx: Executor, funnelId: number, timeframe: Timeframe): Promise<CreatedRange> {
  const last = await tx
    .selectFrom('sync_run')
    .select('started_at')
    .where('funnel_id', '=', funnelId)
    .where('status', '=', 'completed')
    .where('all_read', '=', true)
    .where('cancel_requested_at', 'is', null)
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

export const latestRun = (db: Executor): Promise<RunRow | undefined> =>
  db.selectFrom('sync_run').selectAll().orderBy('started_at', 'desc').limit(1).executeTakeFirst();

export const runningRun = (db: Executor): Promise<RunRow | undefined> =>
  db.selectFrom('sync_run').selectAll().where('status', '=', 'running').executeTakeFirst();

/** Takes the run for this worker; whoever had it before finds out at its next write. */
export const claimRun = (db: Executor, runId: string, worker: string): Promise<RunRow | undefined> =>
  db
    .updateTable('sync_run')
    .set({ worker })
    .where('id', '=', runId)
    .where('status', '=', 'running')
    .returningAll()
    .executeTakeFirst();

/** Resolves with the run that was asked to stop, if one runs (of this funnel). */
export const requestCancel = (db: Executor, funnelId?: number): Promise<RunRow | undefined> =>
  db
    .updateTable('sync_run')
    .set({ cancel_requested_at: sql<Date>`coalesce(cancel_requested_at, now())` })
    .where('status', '=', 'running')
    .$if(funnelId !== undefined, (query) => query.where('funnel_id', '=', funnelId as number))
    .returningAll()
    .executeTakeFirst();

export async function dismissError(db: Executor): Promise<void> {
  await db
    .updateTable('sync_run')
    .set({ error_dismissed: true })
    .where('status', '=', 'failed')
    .where('error_dismissed', '=', false)
    .execute();
}

/** How much a page or a file adds to the counts of its run. */
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

/** Adds to the counts, if the run is still this worker's. Resolves with the run as it is now, or nothing when it is not. */
export function addProgress(
  tx: Executor,
  run: { id: string; worker: string },
  added: RunProgress,
  set: { total?: number; cursor?: object | null; all_read?: boolean; current?: string } = {},
): Promise<RunRow | undefined> {
  const sums = Object.fromEntries(
    Object.entries(added).map(([column, n]) => [column, sql<number>`${sql.ref(column)} + ${n}`]),
  );
  const { cursor, ...rest } = set;
  return tx
    .updateTable('sync_run')
    .set({ ...sums, ...rest, ...(cursor !== undefined && { cursor: cursor === null ? null : JSON.stringify(cursor) }) })
    .where('id', '=', run.id)
    .where('worker', '=', run.worker)
    .where('status', '=', 'running')
    .returningAll()
    .executeTakeFirst();
}

/** Ends a run that still runs; `undefined` when somebody else ended it. */
export const endRun = (
  tx: Executor,
  runId: string,
  end: { status: 'completed' | 'failed'; message: string | null; error: string | null },
): Promise<RunRow | undefined> =>
  tx
    .updateTable('sync_run')
    .set({ ...end, current: null, finished_at: sql<Date>`now()` })
    .where('id', '=', runId)
    .where('status', '=', 'running')
    .returningAll()
    .executeTakeFirst();
