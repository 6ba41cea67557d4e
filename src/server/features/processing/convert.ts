import { setTimeout as sleep } from 'node:timers/promises';
import type { Interview } from '#contracts/interviews.ts';
import { plainText } from '#contracts/rules/plain-text.ts';
import type { Database } from '../../db/database.ts';
import { announce } from '../../live/bus.ts';
import type { HostedState, VideoHost } from '../../ports/video-host.ts';
import type { Interviews } from '../interviews/interviews.service.ts';
import { type LocalVideoDependencies, localVideo } from './local-video.ts';
import {
  forgetPublication,
  type Publication,
  readPublication,
  rememberSession,
  rememberVideo,
  storePublished,
} from './publications.repo.ts';
import { StepFailed, StepLost, StepWaits } from './step-ended.ts';
import { setProgress } from './step-runs.repo.ts';
import type { StepContext, StepWork } from './step-worker.ts';
import { liveType } from './steps.ts';

type Video = NonNullable<Publication['video']>;

export interface ConvertDependencies extends LocalVideoDependencies {
  db: Database;
  interviews: Interviews;
  videoHost: VideoHost | null;
  pace: PublishPace;
}

/** How patiently the host is asked whether a video can be watched. */
export interface PublishPace {
  pollMs: number;
  /** The place of this step is given to another video after so long; it is asked about again after `laterMs`. */
  pollForMs: number;
  laterMs: number;
}

export const PUBLISH_PACE: PublishPace = { pollMs: 2_000, pollForMs: 60_000, laterMs: 30_000 };

/** The upload is the most of a conversion; the host's own work is the rest. */
const UPLOAD_PERCENT = 90;
/** A new video may be unknown to the host's list for a while. */
const UNKNOWN_FOR_MS = 60_000;
/** No host works on a recording for so long; somebody should look. */
const GIVE_UP_MS = 12 * 3_600_000;

/** Publishes the video once: an earlier try's upload is gone on with, and a video that is there already is only waited for. */
export const convert =
  (on: ConvertDependencies): StepWork =>
  async (context) => {
    const { videoHost } = on;
    if (!videoHost) throw new StepFailed('YouTube is no longer connected to this installation.');
    const { interviewId } = context.run;
    const known = (await readPublication(on.db, interviewId)).video ?? (await upload(on, videoHost, context));
    const { privacy } = await untilReady(on, { videoHost, context, video: known });
    return {
      store: (tx) => storePublished(tx, interviewId, { ...known, privacy }),
      note: privacy === null || privacy === videoHost.privacy ? null : privacyNote(privacy, videoHost.privacy),
    };
  };

const privacyNote = (is: string, wanted: string) =>
  `YouTube made this video ${is}, although ${wanted} was asked for. It does so with videos of projects that Google has not audited.`;

async function upload(on: ConvertDependencies, videoHost: VideoHost, context: StepContext): Promise<Video> {
  const { run, transaction } = context;
  const name = await localVideo(on, { ...context, interviewId: run.interviewId });
  const interview = await on.interviews.find(run.interviewId);
  const lost = new AbortController();
  const percent = progressReporter(on.db, run.interviewId, () => lost.abort(new StepLost()));
  const hosted = await videoHost.upload(
    { name, title: interview.title, description: videoDescription(interview) },
    {
      session: (await readPublication(on.db, run.interviewId)).session,
      remember: (session) => transaction((tx) => rememberSession(tx, run.interviewId, session)),
      report: (sent, total) => percent((sent / Math.max(1, total)) * UPLOAD_PERCENT),
      signal: AbortSignal.any([context.signal, lost.signal]),
    },
  );
  await transaction((tx) => rememberVideo(tx, run.interviewId, hosted));
  return { id: hosted.id, url: hosted.url, uploadedAt: new Date() };
}

/** What a viewer of the published video reads: who speaks, and what was asked. */
function videoDescription({ candidateName, recordedDate, processingStatus }: Interview): string {
  const asked = processingStatus.questions.map(({ question }, index) => `${index + 1}. ${plainText(question)}`);
  return [
    [candidateName, recordedDate.slice(0, 10)].filter(Boolean).join(', '),
    ...(asked.length > 0 ? ['', 'Questions:', ...asked] : []),
  ].join('\n');
}

/** Writes the percent when it has changed; one write is under way at a time, and the newest percent is the next. */
function progressReporter(db: Database, interviewId: string, lost: () => void) {
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

interface Waiting {
  videoHost: VideoHost;
  context: StepContext;
  video: Video;
}

/** @throws StepFailed when the host will never show the video, StepWaits while it takes its time */
async function untilReady(
  on: ConvertDependencies,
  waiting: Waiting,
): Promise<Extract<HostedState, { status: 'ready' }>> {
  const { videoHost, context, video } = waiting;
  const { pollMs, pollForMs, laterMs } = on.pace;
  const percent = progressReporter(on.db, context.run.interviewId, () => {});
  for (const until = Date.now() + pollForMs; ; ) {
    const state = await videoHost.state(video.id, context.signal);
    if (state.status === 'ready') return state;
    const ageMs = Date.now() - video.uploadedAt.getTime();
    await refuse(context, state, ageMs);
    const fraction = state.status === 'processing' ? (state.fraction ?? 0) : 0;
    percent(UPLOAD_PERCENT + fraction * (99 - UPLOAD_PERCENT));
    if (Date.now() >= until) throw new StepWaits(laterMs);
    await sleep(pollMs, undefined, { signal: context.signal });
  }
}

/** Ends a conversion that the host has given up; the next try uploads anew. */
async function refuse({ run, transaction }: StepContext, state: HostedState, ageMs: number): Promise<void> {
  const reason =
    state.status === 'failed' || state.status === 'rejected'
      ? state.reason
      : state.status === 'gone' && ageMs > UNKNOWN_FOR_MS
        ? 'YouTube no longer has this video; somebody may have removed it there.'
        : ageMs > GIVE_UP_MS
          ? 'YouTube has not finished processing this video for half a day. Look at it in YouTube Studio, and convert it again.'
          : null;
  if (reason === null) return;
  await transaction((tx) => forgetPublication(tx, run.interviewId));
  throw new StepFailed(reason);
}
