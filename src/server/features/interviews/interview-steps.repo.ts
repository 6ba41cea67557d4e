import { sql } from 'kysely';
import { STEP_NAMES, STEPS, type Step } from '#contracts/rules/steps.ts';
import { anyOf, type Executor } from '#server/db/database.ts';

/** Locks the interview and returns what the start of a step depends on. */
export const lockInterviewForStart = (tx: Executor, id: string) =>
  tx
    .selectFrom('interview')
    .select(['title', 'funnel_id', 'youtube_id', 'youtube_status', 'transcription_status', 'summary_status'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Locks the interview. Undefined when the step is not in progress. */
export async function lockStepInProgress(tx: Executor, id: string, step: Step): Promise<{ title: string } | undefined> {
  const row = await tx
    .selectFrom('interview')
    .select(['title', `${STEPS[step].record}_status as status`])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.status === 'in-progress' ? row : undefined;
}

const startedColumns = (step: Step) => {
  const prefix = STEPS[step].record;
  return {
    [`${prefix}_status`]: 'in-progress',
    [`${prefix}_error`]: null,
    [`${prefix}_note`]: null,
    [`${prefix}_permanent`]: false,
    [`${prefix}_at`]: sql<Date>`now()`,
    ...(step === 'convert' && { youtube_progress: 0 }),
  };
};

/** Sets the step in progress. False when it already is: two starts cannot both succeed. */
export async function updateStatusToStarted(tx: Executor, id: string, step: Step): Promise<boolean> {
  const started = await tx
    .updateTable('interview')
    .set(startedColumns(step))
    .where('id', '=', id)
    .where(`${STEPS[step].record}_status`, 'is distinct from', 'in-progress')
    .returning('id')
    .executeTakeFirst();
  return started !== undefined;
}

/** `updateStatusToStarted` for many interviews that the caller has locked. */
export const updateStatusesToStarted = (tx: Executor, ids: readonly string[], step: Step) =>
  tx.updateTable('interview').set(startedColumns(step)).where('id', '=', anyOf(ids)).execute();

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
    .set({
      [`${STEPS[step].record}_status`]: error === null ? null : 'failed',
      [`${STEPS[step].record}_error`]: error,
      [`${STEPS[step].record}_note`]: null,
      [`${STEPS[step].record}_permanent`]: false,
      [`${STEPS[step].record}_at`]: sql<Date>`now()`,
    })
    .where('id', '=', anyOf(ids))
    .execute();

interface EndedStatus {
  step: Step;
  error?: string | null;
  note?: string | null;
  isPermanent?: boolean;
}

/**
 * Completes the step, or fails it when there is an error. A new transcript makes a summary possible
 * again. Undefined when the interview does not exist.
 */
export function updateStatusToEnded(
  tx: Executor,
  id: string,
  { step, error = null, note = null, isPermanent = false }: EndedStatus,
): Promise<{ title: string } | undefined> {
  const prefix = STEPS[step].record;
  return tx
    .updateTable('interview')
    .set({
      [`${prefix}_status`]: error === null ? 'completed' : 'failed',
      [`${prefix}_error`]: error,
      [`${prefix}_note`]: note,
      [`${prefix}_permanent`]: error !== null && isPermanent,
      [`${prefix}_at`]: sql<Date>`now()`,
      ...(step === 'transcribe' && error === null && { summary_permanent: false }),
    })
    .where('id', '=', id)
    .returning('title')
    .executeTakeFirst();
}

/** The note explains why a step waits. */
export const updateStepNote = (tx: Executor, id: string, { step, note }: { step: Step; note: string | null }) =>
  tx
    .updateTable('interview')
    .set({ [`${STEPS[step].record}_note`]: note })
    .where('id', '=', id)
    .execute();

/** False when the conversion is no longer in progress. */
export async function updateConvertProgress(db: Executor, id: string, percent: number): Promise<boolean> {
  const row = await db
    .updateTable('interview')
    .set({ youtube_progress: percent, youtube_note: null })
    .where('id', '=', id)
    .where('youtube_status', '=', 'in-progress')
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

export const findSteps = (db: Executor, id: string) =>
  db
    .selectFrom('interview')
    .select(['title', 'candidate_name', 'youtube_progress', 'youtube_url'])
    .select(['youtube_status', 'transcription_status', 'summary_status'])
    .select(['youtube_error', 'transcription_error', 'summary_error'])
    .select(['youtube_note', 'transcription_note', 'summary_note'])
    .where('id', '=', id)
    .executeTakeFirst();

/**
 * Sets failed steps to never started. Returns the title and the former errors; undefined when the
 * interview does not exist.
 */
export async function updateFailedToDismissed(
  tx: Executor,
  id: string,
): Promise<{ title: string; errors: string[] } | undefined> {
  const row = await tx
    .selectFrom('interview')
    .select(['title', 'youtube_status', 'transcription_status', 'summary_status'])
    .select(['youtube_error', 'transcription_error', 'summary_error'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  const failed = STEP_NAMES.map((step) => STEPS[step].record).filter((prefix) => row[`${prefix}_status`] === 'failed');
  const columns = failed.map((prefix) => ({
    [`${prefix}_status`]: null,
    [`${prefix}_error`]: null,
    [`${prefix}_permanent`]: false,
  }));
  if (failed.length > 0)
    await tx
      .updateTable('interview')
      .set(Object.assign({}, ...columns))
      .where('id', '=', id)
      .execute();
  return { title: row.title, errors: failed.map((prefix) => row[`${prefix}_error`] ?? '') };
}
