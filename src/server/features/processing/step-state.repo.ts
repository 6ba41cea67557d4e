import { type SqlBool, sql } from 'kysely';
import { STEP_NAMES, type Step } from '#contracts/rules/steps.ts';
import { anyOf, type Executor } from '#server/db/database.ts';
import { STEP_COLUMNS, type StepState, stepColumn, stepsOf } from '#server/db/step-columns.ts';
import type { RecordedInterview } from '#server/features/interviews/interviews.service.ts';

/** For statements that contain `interview`. */
export const noteOf = (step: Step) => sql<string | null>`${sql.ref(`interview.${stepColumn(step, 'note')}`)}`;

/** For statements that contain `interview`. Null for a step that was never started. */
export const isInProgress = (step: Step) =>
  sql<SqlBool>`${sql.ref(`interview.${stepColumn(step, 'status')}`)} = 'in-progress'`;

/** Locks the interview and returns what the start of a step depends on. */
export async function lockInterviewForStart(tx: Executor, id: string) {
  const row = await tx
    .selectFrom('interview')
    .select(['title', 'funnel_id', 'youtube_id', ...STEP_COLUMNS])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && { title: row.title, funnelId: row.funnel_id, youtube_id: row.youtube_id, steps: stepsOf(row) };
}

/** Locks the interview. False when the step is not in progress. */
export async function lockStepInProgress(tx: Executor, id: string, step: Step): Promise<boolean> {
  const row = await tx
    .selectFrom('interview')
    .select(`${stepColumn(step, 'status')} as status`)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.status === 'in-progress';
}

/** The time of a change is always now. */
type StepChange = Partial<Omit<StepState, 'at'>>;

/** The columns of a step whose state changes now. */
const stateColumns = (
  step: Step,
  { status, error = null, note = null, isPermanent = false }: Pick<StepState, 'status'> & StepChange,
) => ({
  [stepColumn(step, 'status')]: status,
  [stepColumn(step, 'error')]: error,
  [stepColumn(step, 'note')]: note,
  [stepColumn(step, 'permanent')]: isPermanent,
  [stepColumn(step, 'at')]: sql<Date>`now()`,
});

/**
 * Sets the step in progress, and returns the ids of the interviews in which it was not: two starts
 * cannot both succeed.
 */
export async function updateStatusToStarted(tx: Executor, ids: readonly string[], step: Step): Promise<string[]> {
  const started = await tx
    .updateTable('interview')
    .set({ ...stateColumns(step, { status: 'in-progress' }), ...(step === 'convert' && { youtube_progress: 0 }) })
    .where('id', '=', anyOf(ids))
    .where(stepColumn(step, 'status'), 'is distinct from', 'in-progress')
    .returning('id')
    .execute();
  return started.map(({ id }) => id);
}

/**
 * Withdraws a step that has not begun. It fails with `error`, or counts as never started without
 * one.
 */
export const updateStatusesToWithdrawn = (
  tx: Executor,
  ids: readonly string[],
  { step, error }: { step: Step; error: string | null },
) =>
  tx
    .updateTable('interview')
    .set(stateColumns(step, { status: error === null ? null : 'failed', error }))
    .where('id', '=', anyOf(ids))
    .execute();

/**
 * Completes the step, or fails it when there is an error. A new transcript makes a summary possible
 * again. Undefined when the interview does not exist.
 */
export const updateStatusToEnded = (
  tx: Executor,
  id: string,
  { step, error = null, note = null, isPermanent = false }: { step: Step } & StepChange,
): Promise<RecordedInterview | undefined> =>
  tx
    .updateTable('interview')
    .set({
      ...stateColumns(step, {
        status: error === null ? 'completed' : 'failed',
        error,
        note,
        isPermanent: error !== null && isPermanent,
      }),
      ...(step === 'transcribe' && error === null && { [stepColumn('summarize', 'permanent')]: false }),
    })
    .where('id', '=', id)
    .returning(['title', 'funnel_id as funnelId'])
    .executeTakeFirst();

/** The note explains why a step waits. */
export const updateStepNote = (tx: Executor, id: string, { step, note }: { step: Step; note: string | null }) =>
  tx
    .updateTable('interview')
    .set({ [stepColumn(step, 'note')]: note })
    .where('id', '=', id)
    .execute();

/** False when the conversion is no longer in progress. */
export async function updateConvertProgress(db: Executor, id: string, percent: number): Promise<boolean> {
  const row = await db
    .updateTable('interview')
    .set({ youtube_progress: percent, [stepColumn('convert', 'note')]: null })
    .where('id', '=', id)
    .where(stepColumn('convert', 'status'), '=', 'in-progress')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export const updateYoutubeVideo = (
  tx: Executor,
  id: string,
  video: { id: string; url: string; privacy: string | null },
) =>
  tx
    .updateTable('interview')
    .set({ youtube_id: video.id, youtube_url: video.url, youtube_privacy: video.privacy, youtube_progress: 100 })
    .where('id', '=', id)
    .execute();

/** The interview as live messages about its steps show it. */
export async function findSteps(db: Executor, id: string) {
  const row = await db
    .selectFrom('interview')
    .select(['title', 'funnel_id', 'candidate_name', 'youtube_progress', 'youtube_url', ...STEP_COLUMNS])
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { ...row, steps: stepsOf(row) };
}

/**
 * Sets failed steps to never started. Returns the former errors; undefined when the interview does
 * not exist.
 */
export async function updateFailedToDismissed(tx: Executor, id: string) {
  const row = await tx
    .selectFrom('interview')
    .select(['title', 'funnel_id', ...STEP_COLUMNS])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  const steps = stepsOf(row);
  const failed = STEP_NAMES.filter((step) => steps[step].status === 'failed');
  const columns = failed.map((step) => ({
    [stepColumn(step, 'status')]: null,
    [stepColumn(step, 'error')]: null,
    [stepColumn(step, 'permanent')]: false,
  }));
  if (failed.length > 0)
    await tx
      .updateTable('interview')
      .set(Object.assign({}, ...columns))
      .where('id', '=', id)
      .execute();
  const { title, funnel_id: funnelId } = row;
  return { title, funnelId, errors: failed.map((step) => steps[step].error ?? '') };
}
