import { setTimeout as sleep } from 'node:timers/promises';
import type { UnwantedVideo, VideoRemoval } from '#server/features/erasure/video-removal.service.ts';
import type { HostedState, VideoHost } from '#server/ports/video-host.ts';
import { deletePublication, type Publication } from './publications.repo.ts';
import { type ProgressDeps, progressReporter, UPLOAD_PERCENT } from './publish-progress.ts';
import { type StepContext, StepError, type StepOutcome } from './step-outcome.ts';

/** How often and how long a step polls the video host for the state of a video. */
export interface PublishPace {
  pollMs: number;
  /**
   * Polls for this long after the upload; then the step waits, and its worker takes another video.
   */
  pollForMs: number;
  /** The shortest such wait. */
  laterMs: number;
}

export const PUBLISH_PACE: PublishPace = { pollMs: 2_000, pollForMs: 60_000, laterMs: 30_000 };

/** A new video may be missing from the host's list for a while. */
const UNKNOWN_FOR_MS = 60_000;
/** Each poll costs some of the daily quota, so waits grow with the age of the upload up to this. */
const MAX_LATER_MS = 10 * 60_000;
const waitMs = (laterMs: number, ageMs: number) => Math.max(laterMs, Math.min(MAX_LATER_MS, ageMs / 10));
/** No host processes a recording for this long. */
const GIVE_UP_MS = 12 * 3_600_000;

interface UntilReadyDeps extends ProgressDeps {
  pace: PublishPace;
  videoRemoval: Pick<VideoRemoval, 'enqueue'>;
}

interface UntilReadyInput {
  videoHost: VideoHost;
  context: StepContext;
  video: NonNullable<Publication['video']>;
}

type Ready = Extract<HostedState, { status: 'ready' }>;
type Wait = Extract<StepOutcome, { status: 'wait' }>;

/**
 * Resolves when the video can be watched, or with a wait when that takes long.
 * @throws StepError
 */
export async function untilReady(
  deps: UntilReadyDeps,
  { videoHost, context, video }: UntilReadyInput,
): Promise<Ready | Wait> {
  const { pollMs, pollForMs, laterMs } = deps.pace;
  const until = video.uploadedAt.getTime() + pollForMs;
  const percent = progressReporter(deps, context.run.interviewId, () => {});
  for (;;) {
    const state = await videoHost.state(video.id, context.signal);
    if (state.status === 'ready') return state;
    const ageMs = Date.now() - video.uploadedAt.getTime();
    await demandProgress(deps, context, { state, ageMs, video, host: videoHost.name });
    const fraction = state.status === 'processing' ? (state.fraction ?? 0) : 0;
    percent(UPLOAD_PERCENT + fraction * (99 - UPLOAD_PERCENT));
    if (Date.now() >= until) return { status: 'wait', ms: waitMs(laterMs, ageMs) };
    await sleep(pollMs, undefined, { signal: context.signal });
  }
}

/** Fails a conversion that cannot succeed. @throws StepError */
async function demandProgress(
  { videoRemoval }: UntilReadyDeps,
  { run, transaction }: StepContext,
  { state, ageMs, video, host }: { state: HostedState; ageMs: number; video: UnwantedVideo; host: string },
): Promise<void> {
  // The video may be missing because its interview was deleted. Then this throws RunLost.
  if (state.status === 'gone') await transaction(async () => {});
  const problem = problemOf(state, ageMs, host);
  if (problem !== null) {
    // The host will never show this video, so the next try uploads it again.
    await transaction(async (tx) => {
      await deletePublication(tx, run.interviewId);
      // An erasure would no longer find it.
      if (state.status !== 'gone') await videoRemoval.enqueue(tx, [video], { isErased: false });
    });
    throw new StepError(problem);
  }
  // The publication stays: the host has this video, and the next try must not upload a second one.
  if (ageMs > GIVE_UP_MS)
    throw new StepError(
      `${host} hasn't finished processing this video after 12 hours. Check it there, then convert again.`,
    );
}

function problemOf(state: HostedState, ageMs: number, host: string): string | null {
  if (state.status === 'failed' || state.status === 'rejected') return state.reason;
  return state.status === 'gone' && ageMs > UNKNOWN_FOR_MS ? `This video was removed from ${host}.` : null;
}
