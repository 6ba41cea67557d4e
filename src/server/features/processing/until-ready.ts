import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import type { HostedState, VideoHost } from '../../ports/video-host.ts';
import { forgetPublication, type Publication } from './publications.repo.ts';
import { progressReporter, UPLOAD_PERCENT } from './publish-progress.ts';
import { StepFailed, StepWaits } from './step-ended.ts';
import type { StepContext } from './step-worker.ts';

/** How patiently the host is asked whether a video can be watched. */
export interface PublishPace {
  pollMs: number;
  /** So long after the upload, the place of this step is given to another video; it is asked about again after `laterMs` or more. */
  pollForMs: number;
  laterMs: number;
}

export const PUBLISH_PACE: PublishPace = { pollMs: 2_000, pollForMs: 60_000, laterMs: 30_000 };

/** A new video may be unknown to the host's list for a while. */
const UNKNOWN_FOR_MS = 60_000;
/** Each question costs some of the day's quota: what takes long is asked about less and less often. */
const LONGEST_LATER_MS = 10 * 60_000;
const laterOf = (laterMs: number, ageMs: number) => Math.max(laterMs, Math.min(LONGEST_LATER_MS, ageMs / 10));
/** No host works on a recording for so long; somebody should look. */
const GIVE_UP_MS = 12 * 3_600_000;

interface Waiting {
  videoHost: VideoHost;
  context: StepContext;
  video: NonNullable<Publication['video']>;
}

/** @throws StepFailed when the host will never show the video, StepWaits while it takes its time */
export async function untilReady(
  on: { db: Database; pace: PublishPace },
  waiting: Waiting,
): Promise<Extract<HostedState, { status: 'ready' }>> {
  const { videoHost, context, video } = waiting;
  const { pollMs, pollForMs, laterMs } = on.pace;
  const until = video.uploadedAt.getTime() + pollForMs;
  const percent = progressReporter(on.db, context.run.interviewId, () => {});
  for (;;) {
    const state = await videoHost.state(video.id, context.signal);
    if (state.status === 'ready') return state;
    const ageMs = Date.now() - video.uploadedAt.getTime();
    await refuse(context, state, ageMs);
    const fraction = state.status === 'processing' ? (state.fraction ?? 0) : 0;
    percent(UPLOAD_PERCENT + fraction * (99 - UPLOAD_PERCENT));
    if (Date.now() >= until) throw new StepWaits(laterOf(laterMs, ageMs));
    await sleep(pollMs, undefined, { signal: context.signal });
  }
}

/** Ends a conversion of which nothing will come. What the host will never show is uploaded anew by the next try. */
async function refuse({ run, transaction }: StepContext, state: HostedState, ageMs: number): Promise<void> {
  const lost =
    state.status === 'failed' || state.status === 'rejected'
      ? state.reason
      : state.status === 'gone' && ageMs > UNKNOWN_FOR_MS
        ? 'YouTube no longer has this video; somebody may have removed it there.'
        : null;
  if (lost !== null) {
    await transaction((tx) => forgetPublication(tx, run.interviewId));
    throw new StepFailed(lost);
  }
  // It is there, so the next try must not upload a second one: it asks about this one again.
  if (ageMs > GIVE_UP_MS) throw new StepFailed(STUCK);
}

const STUCK =
  'YouTube has not finished processing this video for half a day. Look at it in YouTube Studio: once it is done there, or deleted, convert it again.';
