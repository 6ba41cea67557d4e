import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { shortTitle } from '#server/events/log-texts.ts';
import { STEP_TEXTS } from './step-texts.ts';

export function stepStartEntry({ interviewId, step, title, videoHost }: EventData<'step.started'>): NewLogEntry {
  const { action, logStarted } = STEP_TEXTS[step];
  const summary = logStarted(`"${shortTitle(title)}"`, videoHost);
  return { action, status: 'info', summary, metadata: { interviewId } };
}

/** Never contains what was said in the interview. */
export function stepEndEntry(ended: EventData<'step.ended'>): NewLogEntry {
  const { interviewId, step, title, videoHost, error, note } = ended;
  const { action, logDone, logFailed } = STEP_TEXTS[step];
  const name = `"${shortTitle(title)}"`;
  const entry = { action, metadata: { interviewId } };
  if (error === null) return { ...entry, summary: logDone(name, videoHost), details: note ? { note } : null };
  const summary = `${logFailed(name, videoHost)}: ${error}`;
  return { ...entry, status: 'error', summary, details: { error } };
}
