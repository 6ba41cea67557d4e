import { sql } from 'kysely';
import type { BulkOutcome, BulkReport } from '#contracts/bulk.ts';
import type { Step } from '#contracts/rules/steps.ts';
import type { Executor } from '#server/db/database.ts';
import type { BulkRunRow, SEND } from './bulk-runs.repo.ts';

export type OpenStep = Step | typeof SEND;

/**
 * Records the end of a step. When it was the last one of its interview, the interview becomes done
 * or failed. Returns the runs that the step belongs to.
 */
export async function updateStepEnded(
  tx: Executor,
  { interviewId, step, error }: { interviewId: string; step: OpenStep; error: string | null },
): Promise<BulkRunRow[]> {
  const { rows } = await sql<{ runId: number; outcome: BulkOutcome }>`
    UPDATE bulk_item SET
      open_steps = array_remove(open_steps, ${step}),
      reason = coalesce(reason, ${error}),
      outcome = CASE
        WHEN array_remove(open_steps, ${step}) <> '{}' THEN 'started'
        WHEN coalesce(reason, ${error}) IS NULL THEN 'done' ELSE 'failed' END
    WHERE interview_id = ${interviewId} AND outcome = 'started' AND ${step} = ANY(open_steps)
    RETURNING run_id AS "runId", outcome
  `.execute(tx);
  const runs: BulkRunRow[] = [];
  // Lock runs in id order to avoid deadlocks.
  for (const { runId, outcome } of rows.toSorted((one, other) => one.runId - other.runId))
    runs.push(
      await tx
        .updateTable('bulk_run')
        .set({
          started_count: sql<number>`started_count - ${Number(outcome !== 'started')}`,
          done_count: sql<number>`done_count + ${Number(outcome === 'done')}`,
          failed_count: sql<number>`failed_count + ${Number(outcome === 'failed')}`,
        })
        .where('id', '=', runId)
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
  return runs;
}

export interface StartedItem {
  interviewId: string;
  steps: OpenStep[];
}

/** The next interviews with steps in progress, in id order after `after`. */
export async function listStarted(tx: Executor, runId: number, { after, limit }: { after: string; limit: number }) {
  const rows = await tx
    .selectFrom('bulk_item')
    .select(['interview_id as interviewId', 'open_steps as steps'])
    .where('run_id', '=', runId)
    .where('outcome', '=', 'started')
    .where('interview_id', '>', after)
    .orderBy('interview_id')
    .limit(limit)
    .execute();
  return rows as StartedItem[];
}

/**
 * Removes withdrawn steps. Interviews without another step count as skipped. Returns their number.
 */
export async function updateWithdrawn(
  tx: Executor,
  runId: number,
  withdrawn: readonly { interviewId: string; step: Step }[],
  reason: string,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    WITH changed AS (
      UPDATE bulk_item SET
        open_steps = left_steps,
        outcome = CASE WHEN left_steps = '{}' THEN 'skipped' ELSE 'started' END,
        reason = CASE WHEN left_steps = '{}' THEN ${reason} ELSE reason END
      FROM (
        SELECT interview_id AS id, ARRAY(
          SELECT unnest(open_steps) EXCEPT ALL SELECT unnest(array_agg(gone.step))) AS left_steps
        FROM bulk_item JOIN jsonb_to_recordset(${JSON.stringify(withdrawn)}::jsonb)
          AS gone ("interviewId" text, step text) ON gone."interviewId" = interview_id
        WHERE run_id = ${runId} GROUP BY interview_id, open_steps
      ) AS remaining
      WHERE run_id = ${runId} AND interview_id = remaining.id
      RETURNING bulk_item.outcome
    )
    SELECT count(*)::int AS n FROM changed WHERE outcome = 'skipped'
  `.execute(tx);
  return rows[0]?.n ?? 0;
}

/** Gives all undecided interviews of a run the outcome skipped. Returns their number. */
export async function updateUndecidedToSkipped(tx: Executor, runId: number, reason: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('bulk_item')
    .set({ outcome: 'skipped', reason })
    .where('run_id', '=', runId)
    .where('outcome', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export interface ReportLimits {
  limit: number;
  /** Only interviews of these funnels. Null: of all. */
  funnelIds: readonly number[] | null;
}

const isOfFunnels = (funnelIds: ReportLimits['funnelIds']) =>
  funnelIds
    ? sql<boolean>`interview_id IN (SELECT id FROM interview WHERE funnel_id = ANY(${funnelIds}::int[]))`
    : sql<boolean>`true`;

/** The reasons of a run, the most frequent first. */
export async function listReasons(db: Executor, runId: number, { limit, funnelIds }: ReportLimits) {
  const { rows } = await sql<BulkReport['reasons'][number]>`
    SELECT outcome, reason, count(*)::int AS count FROM bulk_item
    WHERE run_id = ${runId} AND outcome IN ('failed', 'skipped') AND reason IS NOT NULL AND ${isOfFunnels(funnelIds)}
    GROUP BY outcome, reason ORDER BY count DESC, outcome, reason LIMIT ${limit}
  `.execute(db);
  return rows;
}

/** The first failed and skipped interviews of a run, failed ones first. */
export async function listReportedItems(db: Executor, runId: number, { limit, funnelIds }: ReportLimits) {
  const rows = await db
    .selectFrom('bulk_item')
    .innerJoin('interview', 'interview.id', 'bulk_item.interview_id')
    .select(['interview_id as interviewId', 'title', 'outcome', 'reason'])
    .where('run_id', '=', runId)
    .where('outcome', 'in', ['failed', 'skipped'])
    .where('reason', 'is not', null)
    .where(isOfFunnels(funnelIds))
    .orderBy('outcome')
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows as BulkReport['items'];
}
