import { type Selectable, type SqlBool, sql } from 'kysely';
import { STEP_NAMES, STEPS, type Step } from '#contracts/rules/steps.ts';
import type { DB } from './tables.ts';

const STATE_COLUMNS = ['status', 'error', 'note', 'permanent', 'at'] as const;

/** A column of `interview` with the state of a step (decision 0034). */
export const stepColumn = <Name extends (typeof STATE_COLUMNS)[number]>(step: Step, name: Name) =>
  `${STEPS[step].record}_${name}` as const;

export const STEP_COLUMNS = STEP_NAMES.flatMap((step) => STATE_COLUMNS.map((name) => stepColumn(step, name)));

type StepRow = Pick<Selectable<DB['interview']>, (typeof STEP_COLUMNS)[number]>;

export interface StepState {
  status: StepRow[ReturnType<typeof stepColumn<'status'>>];
  error: string | null;
  /** Why it waits, or how its result differs from the request. */
  note: string | null;
  /** True for a failure that would repeat. */
  isPermanent: boolean;
  /** When it changed last. */
  at: Date | null;
}

/** The step states of an interview. */
export function stepsOf(row: StepRow): Record<Step, StepState> {
  const stateOf = (step: Step): StepState => ({
    status: row[stepColumn(step, 'status')],
    error: row[stepColumn(step, 'error')],
    note: row[stepColumn(step, 'note')],
    isPermanent: row[stepColumn(step, 'permanent')],
    at: row[stepColumn(step, 'at')],
  });
  return { convert: stateOf('convert'), transcribe: stateOf('transcribe'), summarize: stateOf('summarize') };
}

/**
 * True for interviews whose failed steps would all fail again. Migration 0044 indexes the first
 * line.
 */
export const ALL_FAILURES_PERMANENT = sql<SqlBool>`
  (youtube_permanent OR transcription_permanent OR summary_permanent)
  AND (youtube_permanent OR youtube_status IS DISTINCT FROM 'failed')
  AND (transcription_permanent OR transcription_status IS DISTINCT FROM 'failed')
  AND (summary_permanent OR summary_status IS DISTINCT FROM 'failed')`;

/** SQL text for the restore of a funnel: undoes conversions, except those in progress. */
export const CONVERSION_RESET = `youtube_status = CASE youtube_status WHEN 'in-progress' THEN youtube_status END,
  youtube_error = NULL, youtube_note = NULL, youtube_at = NULL`;
