import { coalesce } from '#server/async/single-flight.ts';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { updateConvertProgress } from './step-state.repo.ts';

/** The upload's share of a conversion; the rest is the host's processing. */
export const UPLOAD_PERCENT = 90;

export interface ProgressDeps {
  db: Database;
  events: Events;
}

/**
 * Returns a function that stores a percentage when it has changed. One write runs at a time, and
 * the latest percentage is written next. `onLost` is called when the step is no longer in progress.
 */
export function progressReporter({ db, events }: ProgressDeps, interviewId: string, onLost: () => void) {
  let written = -1;
  let latest = 0;
  const write = coalesce(async () => {
    if (written === latest) return;
    written = latest;
    if (!(await updateConvertProgress(db, interviewId, written))) return onLost();
    await events.record(db, 'step.progressed', { interviewId, step: 'convert' });
  });
  return (percent: number) => {
    latest = Math.floor(percent);
    // Progress that cannot be stored must not stop an upload.
    write().catch(() => {});
  };
}
