import { type Insertable, type Selectable, sql } from 'kysely';
import type { BulkOutcome } from '#contracts/bulk.ts';
import type { Actor } from '#contracts/logs.ts';
import type { Step } from '#contracts/rules/steps.ts';
import { anyOf, type Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';
import type { FormerDestination } from '#server/features/interviews/interviews.service.ts';
import { type Attempt, CANCEL_REQUESTED, lostAttempts, type ReleaseColumns, RunLost } from '#server/runs/run.ts';

/** The pending work of an interview that is being sent to the ATS, in place of step names. */
export const SEND = 'send';

export type BulkRunRow = Selectable<DB['bulk_run']>;

/** A run and the worker that has claimed it. */
export type ClaimedBulkRun = BulkRunRow & { worker: string };
type OwnedBulkRun = Pick<ClaimedBulkRun, 'id' | 'worker'>;

export type NewBulkRun = Omit<Insertable<DB['bulk_run']>, 'total' | 'started_by'> & { started_by: Actor };

/** The interviews of a new run. */
export interface NewBulkItems {
  interviewIds: readonly string[];
  /** Interviews of other funnels are treated as if they did not exist. Null: none. */
  visibleFunnelIds: readonly number[] | null;
  /** The run whose former destinations this one restores. */
  undoneRunId?: number | null;
}

/** `total` includes interviews that no longer exist; they have no item. */
export async function insertBulkRun(
  tx: Executor,
  run: NewBulkRun,
  { interviewIds, visibleFunnelIds: funnelIds, undoneRunId = null }: NewBulkItems,
): Promise<BulkRunRow> {
  const row = await tx
    .insertInto('bulk_run')
    .values({ ...run, total: interviewIds.length, started_by: JSON.stringify(run.started_by) })
    .returningAll()
    .executeTakeFirstOrThrow();
  await sql`
    INSERT INTO bulk_item (run_id, interview_id, position,
      former_destination_id, former_destination_notes, former_destination_at)
    SELECT ${row.id}, i.id, chosen.position,
      undone.former_destination_id, undone.former_destination_notes, undone.former_destination_at
    FROM unnest(${interviewIds}::text[]) WITH ORDINALITY AS chosen (id, position) JOIN interview AS i USING (id)
    LEFT JOIN bulk_item AS undone ON undone.run_id = ${undoneRunId} AND undone.interview_id = i.id
    ${funnelIds ? sql`WHERE i.funnel_id = ANY(${funnelIds}::int[])` : sql``}
    ORDER BY i.id FOR KEY SHARE OF i
  `.execute(tx);
  return row;
}

/** The number of runs that have not decided on all their interviews. */
export async function countUndecidedRuns(db: Executor): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM bulk_run WHERE status = 'running' AND NOT all_decided
  `.execute(db);
  return rows[0]?.n ?? 0;
}

/** Deletes all ended runs except the latest `kept` of users and as many of the product. */
export const deleteOldBulkRuns = (tx: Executor, kept: number) =>
  sql`
    DELETE FROM bulk_run WHERE id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY started_by ->> 'kind' ORDER BY id DESC) AS place
        FROM bulk_run WHERE status <> 'running'
      ) AS ended WHERE place > ${kept})
  `.execute(tx);

export const findBulkRun = (db: Executor, id: number): Promise<BulkRunRow | undefined> =>
  db.selectFrom('bulk_run').selectAll().where('id', '=', id).executeTakeFirst();

const selectItems = (db: Executor, runId: number) =>
  db.selectFrom('bulk_item').select('interview_id').where('run_id', '=', runId).orderBy('position');

/** The ids of the interviews that a run changed. */
export async function listDoneIds(db: Executor, runId: number): Promise<string[]> {
  const rows = await selectItems(db, runId).where('outcome', '=', 'done').execute();
  return rows.map((row) => row.interview_id);
}

/**
 * Claims the run. The previous owner is fenced off at its next write. Undefined when it has ended.
 */
export const claimBulkRun = (db: Executor, id: number, { process, worker }: Attempt) =>
  db
    .updateTable('bulk_run')
    .set({ worker, process, lost_attempts: lostAttempts('process', process) })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('all_decided', '=', false)
    .returningAll()
    .$narrowType<{ worker: string }>()
    .executeTakeFirst();

/** The run, while it is in progress and owned by this worker. */
const ownedRun = (tx: Executor, { id, worker }: OwnedBulkRun) =>
  tx.updateTable('bulk_run').where('id', '=', id).where('worker', '=', worker).where('status', '=', 'running');

export const releaseBulkRun = (db: Executor, run: OwnedBulkRun, columns: ReleaseColumns) =>
  ownedRun(db, run)
    .set({ ...columns, process: null })
    .execute();

/** The payloads of the runs that must have a job. */
export const OPEN_BULK_RUNS = sql`
  SELECT jsonb_build_object('runId', id) AS payload FROM bulk_run WHERE status = 'running' AND NOT all_decided`;

/** The next interviews without an outcome. */
export async function listUndecided(tx: Executor, runId: number, limit: number): Promise<string[]> {
  const rows = await selectItems(tx, runId).where('outcome', 'is', null).limit(limit).execute();
  return rows.map((row) => row.interview_id);
}

export interface DecidedItem {
  interviewId: string;
  title: string;
  funnelId: number;
  outcome: Exclude<BulkOutcome, 'failed'>;
  reason: string | null;
  steps: readonly Step[];
  /** True when it is being sent to the ATS. */
  isSending?: boolean;
  /** The destination that the run replaced. */
  former: Omit<FormerDestination, 'interviewId'> | null;
}

/** The destinations that a run replaced, or will restore. */
export const listFormerDestinations = (tx: Executor, runId: number, ids: readonly string[]) =>
  tx
    .selectFrom('bulk_item')
    .select([
      'interview_id as interviewId',
      'former_destination_id as destinationId',
      'former_destination_notes as notes',
      'former_destination_at as at',
    ])
    .where('run_id', '=', runId)
    .where('interview_id', '=', anyOf(ids))
    .execute();

const withOpenSteps = ({ isSending, ...item }: DecidedItem) => ({ ...item, ...(isSending && { steps: [SEND] }) });

/**
 * Writes the outcomes of undecided interviews and adds them to the counts of the run.
 * @throws RunLost, which rolls the transaction back
 */
export async function insertOutcomes(tx: Executor, owned: OwnedBulkRun, items: readonly DecidedItem[]) {
  await sql`
    UPDATE bulk_item SET
      outcome = decided.outcome, reason = decided.reason, open_steps = decided.steps,
      former_destination_id = coalesce(decided.former ->> 'destinationId', former_destination_id),
      former_destination_notes = coalesce(decided.former ->> 'notes', former_destination_notes),
      former_destination_at = coalesce((decided.former ->> 'at')::timestamptz, former_destination_at)
    FROM jsonb_to_recordset(${JSON.stringify(items.map(withOpenSteps))}::jsonb)
      AS decided ("interviewId" text, outcome text, reason text, steps text[], former jsonb)
    WHERE run_id = ${owned.id} AND interview_id = decided."interviewId" AND bulk_item.outcome IS NULL
  `.execute(tx);
  const count = (outcome: BulkOutcome) => items.filter((item) => item.outcome === outcome).length;
  return ownedRun(tx, owned)
    .set({
      done_count: sql<number>`done_count + ${count('done')}`,
      started_count: sql<number>`started_count + ${count('started')}`,
      skipped_count: sql<number>`skipped_count + ${count('skipped')}`,
      lost_attempts: 0,
    })
    .returningAll()
    .$narrowType<{ worker: string }>()
    .executeTakeFirstOrThrow(RunLost);
}

/**
 * Every interview has an outcome. A cancellation that arrives in the meantime has its own job.
 * @throws RunLost, which rolls the transaction back
 */
export const updateAllDecided = (tx: Executor, run: OwnedBulkRun & Pick<BulkRunRow, 'cancel_requested_at'>) =>
  ownedRun(tx, run)
    .set({ all_decided: true, destination_notes: null })
    .$if(!run.cancel_requested_at, (query) => query.where('cancel_requested_at', 'is', null))
    .returningAll()
    .executeTakeFirstOrThrow(RunLost);

/**
 * Moves interviews from started to skipped, and counts undecided ones as skipped.
 * @throws RunLost, which rolls the transaction back
 */
export async function updateSkipped(
  tx: Executor,
  run: OwnedBulkRun,
  { undecided = 0, started = 0 }: { undecided?: number; started?: number },
): Promise<void> {
  await ownedRun(tx, run)
    .set({
      started_count: sql<number>`started_count - ${started}`,
      skipped_count: sql<number>`skipped_count + ${undecided + started}`,
    })
    .returning('id')
    .executeTakeFirstOrThrow(RunLost);
}

/** Requests that the run stops. Undefined when it has ended. */
export const updateCancelRequested = (tx: Executor, id: number): Promise<BulkRunRow | undefined> =>
  tx
    .updateTable('bulk_run')
    .set({ ...CANCEL_REQUESTED, all_decided: false })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returningAll()
    .executeTakeFirst();

/**
 * Returns undefined when the run has ended already, or when `end` is a failure and the job has
 * decided every interview in the meantime.
 */
export const updateBulkRunEnd = (
  tx: Executor,
  id: number,
  end: { status: 'completed' | 'canceled' | 'failed'; error: string | null },
): Promise<BulkRunRow | undefined> =>
  tx
    .updateTable('bulk_run')
    .set({
      ...end,
      all_decided: true,
      destination_notes: null,
      finished_at: sql<Date>`now()`,
      // Interviews without an outcome were deleted. They count as skipped.
      ...(end.status !== 'failed' && {
        started_count: 0,
        skipped_count: sql<number>`total - done_count - failed_count`,
      }),
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .$if(end.status === 'failed', (update) => update.where('all_decided', '=', false))
    .returningAll()
    .executeTakeFirst();

/** Runs that wait for steps whose interviews were all deleted. */
export async function listRunsWithoutSteps(db: Executor): Promise<BulkRunRow[]> {
  const { rows } = await sql<BulkRunRow>`
    SELECT * FROM bulk_run WHERE status = 'running' AND all_decided
      AND NOT EXISTS (SELECT FROM bulk_item WHERE run_id = bulk_run.id AND outcome = 'started')
  `.execute(db);
  return rows;
}
