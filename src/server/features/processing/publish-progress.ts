import { stepMessageType } from '#contracts/rules/steps.ts';
import type { Database } from '#server/db/database.ts';
import { interviewSteps } from '#server/features/interviews/interviews.service.ts';
import { announce } from '#server/live/bus.ts';

/** The upload's share of a conversion; the rest is the host's processing. */
export const UPLOAD_PERCENT = 90;

/**
 * Returns a function that stores a percentage when it has changed. One write runs at a time, and
 * the latest percentage is written next. `onLost` is called when the step is no longer in progress.
 */
export function progressReporter(db: Database, interviewId: string, onLost: () => void) {
  let written = -1;
  let latest = 0;
  let isWriting = false;
  const write = async () => {
    if (isWriting) return;
    isWriting = true;
    try {
      while (written !== latest) {
        written = latest;
        if (!(await interviewSteps.updateConvertProgress(db, interviewId, written))) return onLost();
        await announce(db, 'step', `${stepMessageType('convert', 'progress')} ${interviewId}`);
      }
    } finally {
      isWriting = false;
    }
  };
  return (percent: number) => {
    latest = Math.floor(percent);
    // Progress that cannot be stored must not stop an upload.
    write().catch(() => {});
  };
}
