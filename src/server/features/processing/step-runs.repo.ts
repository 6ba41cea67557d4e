import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { STEPS, type Step, type StepRun } from './steps.ts';

/** What starting a step depends on; the row is locked until the transaction ends. */
export async function lockInterview(tx: Executor, id: string) {
  return tx
    .selectFrom('interview')
    .select(['title', 'funnel_id', 'youtube_id', 'youtube_status', 'transcription_status', 'summary_status'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export interface NewRun {
  interviewId: string;
  step: Step;
  /** A summary whose transcript is under way. */
  waits: boolean;
}

/** Sets the step in progress, unless it is already. Resolves with the new run's id, or with nothing: the caller lost the race. */
export async function beginStep(tx: Executor, { interviewId, step, waits }: NewRun): Promise<string | undefined> {
  const { columns } = STEPS[step];
  const begun = await tx
    .updateTable('interview')
    .set({
      [`${columns}_status`]: 'in-progress',
      [`${columns}_error`]: null,
      [`${columns}_note`]: null,
      [`${columns}_at`]: sql<Date>`now()`,
      ...(step === 'convert' && { youtube_progress: 0 }),
    })
    .where('id', '=', interviewId)
    .where(`${columns}_status`, 'is distinct from', 'in-progress')
    .returning('id')
    .executeTakeFirst();
  if (!begun) return undefined;
  const run = await tx
    .insertInto('step_run')
    .values({ interview_id: interviewId, step, waits })
    .returning('run_id')
    .executeTakeFirstOrThrow();
  return run.run_id;
}

/** The run's row while its step is in progress and it is this run's, whoever works on it. */
const liveRun = (db: Executor, { interviewId, step, runId }: Omit<StepRun, 'worker'>) =>
  db
    .updateTable('step_run')
    .from('interview')
    .whereRef('interview.id', '=', 'step_run.interview_id')
    .where('step_run.interview_id', '=', interviewId)
    .where('step_run.step', '=', step)
    .where('step_run.run_id', '=', runId)
    .where(`interview.${STEPS[step].columns}_status`, '=', 'in-progress');

/** Takes the run over from whoever worked on it. Undefined when it has ended. `note` says why it has waited until now. */
export const claimRun = (db: Executor, run: StepRun) =>
  liveRun(db, run)
    .set({ worker: run.worker })
    .returning([
      'step_run.failures',
      'interview.funnel_id',
      'interview.title',
      `interview.${STEPS[run.step].columns}_note as note`,
    ])
    .executeTakeFirst();

/**
 * Locks the step for the rest of the transaction, as long as it is still in progress and this process's. Undefined when it is not.
 * The interview is locked first, as everybody does: in another order two transactions could wait for each other. The run is locked for
 * whoever takes it over, which needs no interview: it then finds what this transaction has written, such as an upload to go on with.
 */
export async function holdRun(tx: Executor, run: StepRun): Promise<{ title: string } | undefined> {
  const interview = await tx
    .selectFrom('interview')
    .select(['title', `${STEPS[run.step].columns}_status as status`])
    .where('id', '=', run.interviewId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (interview?.status !== 'in-progress') return undefined;
  const held = await tx
    .selectFrom('step_run')
    .select('run_id')
    .where('interview_id', '=', run.interviewId)
    .where('step', '=', run.step)
    .where('run_id', '=', run.runId)
    .where('worker', '=', run.worker)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return held && interview;
}

export const countFailure = (tx: Executor, run: StepRun) =>
  tx
    .updateTable('step_run')
    .set((q) => ({ failures: q('failures', '+', 1) }))
    .where('interview_id', '=', run.interviewId)
    .where('step', '=', run.step)
    .execute();

/** It gets on: an outage later has all its tries again. */
export const forgetFailures = (tx: Executor, run: StepRun) =>
  tx
    .updateTable('step_run')
    .set({ failures: 0 })
    .where('interview_id', '=', run.interviewId)
    .where('step', '=', run.step)
    .execute();

/** How a step ended: a null error is a success. */
interface End {
  error: string | null;
  note: string | null;
}

/** Ends the step; whatever else belongs to its result is written in the same transaction. Resolves with the interview's title. */
export async function endStep(tx: Executor, run: Pick<StepRun, 'interviewId' | 'step'>, end: End): Promise<string> {
  const { columns } = STEPS[run.step];
  const { title } = await tx
    .updateTable('interview')
    .set({
      [`${columns}_status`]: end.error === null ? 'completed' : 'failed',
      [`${columns}_error`]: end.error,
      [`${columns}_note`]: end.note,
      [`${columns}_at`]: sql<Date>`now()`,
    })
    .where('id', '=', run.interviewId)
    .returning('title')
    .executeTakeFirstOrThrow();
  await forgetRun(tx, run);
  return title;
}

/** For a step that was ended in another way: whoever works on it finds out and stops. */
export const forgetRun = (tx: Executor, { interviewId, step }: Pick<StepRun, 'interviewId' | 'step'>) =>
  tx.deleteFrom('step_run').where('interview_id', '=', interviewId).where('step', '=', step).execute();

/** Says why a step waits; null takes the note away. */
export const setNote = (
  tx: Executor,
  { interviewId, step }: Pick<StepRun, 'interviewId' | 'step'>,
  note: string | null,
) =>
  tx
    .updateTable('interview')
    .set({ [`${STEPS[step].columns}_note`]: note })
    .where('id', '=', interviewId)
    .execute();

/** Percent of a conversion. False when the step is no longer in progress. */
export async function setProgress(db: Executor, interviewId: string, percent: number): Promise<boolean> {
  const row = await db
    .updateTable('interview')
    .set({ youtube_progress: percent, youtube_note: null })
    .where('id', '=', interviewId)
    .where('youtube_status', '=', 'in-progress')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The summary that waits for this interview's transcript waits no longer. Undefined when there is none. */
export const releaseRun = (tx: Executor, interviewId: string) =>
  tx
    .updateTable('step_run')
    .set({ waits: false })
    .where('interview_id', '=', interviewId)
    .where('step', '=', 'summarize')
    .where('waits', '=', true)
    .returning('run_id as runId')
    .executeTakeFirst();

/** Runs that a job must be there for: all but summaries that wait for a transcript under way. */
export const runsWithJobs = (db: Executor) =>
  db
    .selectFrom('step_run')
    .innerJoin('interview', 'interview.id', 'step_run.interview_id')
    .select(['interview_id as interviewId', 'step', 'run_id as runId'])
    .where((q) => q.or([q('waits', '=', false), q('transcription_status', 'is distinct from', 'in-progress')]))
    .$castTo<Omit<StepRun, 'worker'>>()
    .execute();

/** What a live message says about a step. */
export const stepState = (db: Executor, interviewId: string) =>
  db
    .selectFrom('interview')
    .select([
      'title',
      'youtube_progress',
      'youtube_status',
      'transcription_status',
      'summary_status',
      'youtube_error',
      'youtube_note',
      'transcription_error',
      'transcription_note',
      'summary_error',
      'summary_note',
    ])
    .where('id', '=', interviewId)
    .executeTakeFirst();
