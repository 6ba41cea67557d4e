import { shortTitle } from '../interviews/interviews.service.ts';
import type { NewLogEntry } from '../logs/logs.service.ts';
import { STEPS, type Step } from './steps.ts';

interface StepEnd {
  interviewId: string;
  step: Step;
  title: string;
  /** Null for a success. */
  error: string | null;
  /** In what the result differs from what was asked for. */
  note?: string | null;
}

/** What the log says of a step's end. Never what was said in the interview. */
export function stepEndEntry({ interviewId, step, title, error, note }: StepEnd): NewLogEntry {
  const { action, done, failed } = STEPS[step];
  return {
    type: error === null ? 'system' : 'error',
    action,
    status: error === null ? 'success' : 'error',
    summary: `Interview "${shortTitle(title)}" ${error === null ? done : failed}.`,
    details: error === null ? (note ? { note } : null) : { error },
    metadata: { interviewId },
  };
}
