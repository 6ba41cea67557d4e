import type { Step } from '#contracts/rules/steps.ts';
import { shortTitle } from '#server/features/interviews/interviews.service.ts';
import type { NewLogEntry } from '#server/features/logs/logs.service.ts';
import { STEP_TEXTS } from './step-texts.ts';

interface LoggedStep {
  interviewId: string;
  step: Step;
  title: string;
}

export function stepStartEntry({ interviewId, step, title }: LoggedStep, host: string): NewLogEntry {
  const { action, logStarted } = STEP_TEXTS[step];
  const summary = logStarted(`"${shortTitle(title)}"`, host);
  return { type: 'system', action, status: 'info', summary, metadata: { interviewId } };
}

export interface StepEnd {
  /** Null for a success. */
  error: string | null;
  /** How the result differs from the request. */
  note: string | null;
  /** True for a failure that would repeat. */
  isPermanent?: boolean;
}

/** Never contains what was said in the interview. */
export function stepEndEntry(
  { interviewId, step, title }: LoggedStep,
  { error, note }: StepEnd,
  host: string,
): NewLogEntry {
  const { action, logDone, logFailed } = STEP_TEXTS[step];
  const name = `"${shortTitle(title)}"`;
  const metadata = { interviewId };
  if (error === null)
    return {
      type: 'system',
      action,
      status: 'success',
      summary: logDone(name, host),
      details: note ? { note } : null,
      metadata,
    };
  return {
    type: 'error',
    action,
    status: 'error',
    summary: `${logFailed(name, host)}: ${error}`,
    details: { error },
    metadata,
  };
}
