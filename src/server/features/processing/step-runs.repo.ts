import { sql } from 'kysely';
import type { Actor } from '#contracts/logs.ts';
import type { Step } from '#contracts/rules/steps.ts';
import type { Executor } from '#server/db/database.ts';
import type { StepState } from '#server/db/step-columns.ts';
import type { RecordedInterview } from '#server/features/interviews/interviews.service.ts';
import { currentActor, SYSTEM } from '#server/request-context.ts';
import { lostAttempts, type ReleaseColumns } from '#server/runs/run.ts';
import {
  isInProgress,
  lockStepInProgress,
  noteOf,
  updateStatusToEnded,
  updateStatusToStarted,
} from './step-state.repo.ts';

/** A success has no error. */
export type StepEnd = Pick<StepState, 'error' | 'note'> & Partial<Pick<StepState, 'isPermanent'>>;

/** A step of an interview that is in progress. The id changes each time the step is started. */
export interface StepRun {
  interviewId: string;
  step: Step;
  runId: string;
  /** Identifies the claim of the worker that performs it. */
  worker: string;
}

export type UnclaimedRun = Omit<StepRun, 'worker'>;
export type StepOfInterview = Pick<StepRun, 'interviewId' | 'step'>;

export interface NewRun {
  interviewId: string;
  step: Step;
  /** True for a summary whose transcript is in progress. */
  waits: boolean;
}

/** Sets the step in progress where it is not yet, and returns the new runs. */
export async function insertStepRuns(tx: Executor, step: Step, runs: readonly Pick<NewRun, 'interviewId' | 'waits'>[]) {
  if (runs.length === 0) return [];
  const ids = runs.map(({ interviewId }) => interviewId);
  const started = await updateStatusToStarted(tx, ids, step);
  const { rows } = await sql<{ interviewId: string; runId: string; waits: boolean }>`
    INSERT INTO step_run (interview_id, step, waits, started_by)
    SELECT run.id, ${step}, run.waits, ${JSON.stringify(currentActor())}::jsonb
    FROM unnest(${ids}::text[], ${runs.map(({ waits }) => waits)}::boolean[]) AS run (id, waits)
    WHERE run.id = ANY(${started}::text[])
    RETURNING interview_id AS "interviewId", run_id AS "runId", waits
  `.execute(tx);
  return rows;
}

/**
 * Deletes the runs of a step that no worker has claimed yet or that wait for a retry, unless a
 * summary waits for this transcript. Returns the ids of their interviews.
 */
export async function deleteIdleRuns(tx: Executor, interviewIds: readonly string[], step: Step): Promise<string[]> {
  if (interviewIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    DELETE FROM step_run AS run USING interview
    WHERE interview.id = run.interview_id AND run.interview_id = ANY(${interviewIds}::text[]) AND run.step = ${step}
      AND (run.worker IS NULL OR ${noteOf(step)} IS NOT NULL)
      AND NOT (run.step = 'transcribe' AND EXISTS (
        SELECT FROM step_run AS summary WHERE summary.interview_id = run.interview_id AND summary.waits))
    RETURNING run.interview_id AS id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** The run's row while its step is in progress, whichever worker owns it. */
const liveRun = (db: Executor, { interviewId, step, runId }: UnclaimedRun) =>
  db
    .updateTable('step_run')
    .from('interview')
    .whereRef('interview.id', '=', 'step_run.interview_id')
    .where('step_run.interview_id', '=', interviewId)
    .where('step_run.step', '=', step)
    .where('step_run.run_id', '=', runId)
    .where(isInProgress(step));

/**
 * Claims the run. The previous owner is fenced off at its next write. Undefined when the run ended.
 * `note` is the reason why it waited until now.
 */
export const claimStepRun = (db: Executor, run: StepRun, process: string) =>
  liveRun(db, run)
    .set({ worker: run.worker, process, lost_attempts: lostAttempts('process', process) })
    .returning(['step_run.lost_attempts', 'interview.funnel_id', noteOf(run.step).as('note')])
    .executeTakeFirst();

export const releaseStepRun = (db: Executor, run: StepRun, columns: ReleaseColumns) =>
  db
    .updateTable('step_run')
    .set({ ...columns, process: null })
    .where('interview_id', '=', run.interviewId)
    .where('step', '=', run.step)
    .where('worker', '=', run.worker)
    .execute();

/**
 * Locks the step, as long as it is in progress and owned by this worker; otherwise undefined. The
 * interview is locked first, as everywhere else, to avoid deadlocks. The run is locked as well,
 * because the next claim does not lock the interview: it has to wait for what this transaction
 * writes, such as an upload session to resume.
 */
export async function lockStepRun(tx: Executor, run: StepRun): Promise<{ failures: number } | undefined> {
  if (!(await lockStepInProgress(tx, run.interviewId, run.step))) return undefined;
  return tx
    .selectFrom('step_run')
    .select('failures')
    .where('interview_id', '=', run.interviewId)
    .where('step', '=', run.step)
    .where('run_id', '=', run.runId)
    .where('worker', '=', run.worker)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Sets the number of failures; 0 after progress, so that a later outage gets all tries again. The
 * process has survived the work, so no attempt counts as lost.
 */
export const updateFailures = (tx: Executor, run: StepOfInterview, failures: number) =>
  tx
    .updateTable('step_run')
    .set({ failures, lost_attempts: 0 })
    .where('interview_id', '=', run.interviewId)
    .where('step', '=', run.step)
    .execute();

/** Ends the step and deletes its run. */
export async function updateStepEnd(tx: Executor, run: StepOfInterview, end: StepEnd): Promise<RecordedInterview> {
  const interview = await updateStatusToEnded(tx, run.interviewId, { step: run.step, ...end });
  if (!interview) throw new Error('The interview of a locked run does not exist');
  await deleteRun(tx, run);
  return interview;
}

/** The worker that owns the run stops at its next write. */
export const deleteRun = (tx: Executor, { interviewId, step }: StepOfInterview) =>
  tx.deleteFrom('step_run').where('interview_id', '=', interviewId).where('step', '=', step).execute();

/**
 * Marks the summary that waits for this interview's transcript as ready. Returns its run and the
 * actor who started it; undefined when there is none.
 */
export async function releaseWaitingSummary(tx: Executor, interviewId: string) {
  const run = await tx
    .updateTable('step_run')
    .set({ waits: false })
    .where('interview_id', '=', interviewId)
    .where('step', '=', 'summarize')
    .where('waits', '=', true)
    .returning(['run_id as runId', 'started_by as startedBy'])
    .executeTakeFirst();
  return run && { runId: run.runId, startedBy: (run.startedBy as Actor | null) ?? SYSTEM };
}

/**
 * The payloads of the runs that must have a job: all except summaries that wait for a transcript in
 * progress.
 */
export const openStepRuns = (step: Step) => sql`
  SELECT jsonb_build_object('interviewId', interview_id, 'runId', run_id) AS payload
  FROM step_run JOIN interview ON interview.id = interview_id
  WHERE step = ${step} AND (NOT waits OR (${isInProgress('transcribe')}) IS NOT TRUE)`;
