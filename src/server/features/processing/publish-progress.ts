import type { Database } from '../../db/database.ts';
import { announce } from '../../live/bus.ts';
import { setProgress } from './step-runs.repo.ts';
import { liveType } from './steps.ts';

/** The upload is the most of a conversion; the host's own work is the rest. */
export const UPLOAD_PERCENT = 90;

/** Writes the percent when it has changed; one write is under way at a time, and the newest percent is the next. */
export function progressReporter(db: Database, interviewId: string, lost: () => void) {
  let written = -1;
  let wanted = 0;
  let writing = false;
  const write = async () => {
    if (writing) return;
    writing = true;
    try {
      while (written !== wanted) {
        written = wanted;
        if (!(await setProgress(db, interviewId, written))) return lost();
        await announce(db, 'step', `${liveType('convert', 'progress')} ${interviewId}`);
      }
    } finally {
      writing = false;
    }
  };
  return (percent: number) => {
    wanted = Math.floor(percent);
    // Progress that cannot be written is no reason to stop an upload.
    write().catch(() => {});
  };
}
