import type { VideoRemoval } from '#server/features/erasure/video-removal.service.ts';
import { type Recordings, UnreadableRecording } from '#server/ports/recordings.ts';
import type { HostedVideo, UploadSession, VideoHost, VideoToPublish } from '#server/ports/video-host.ts';
import { RunLost } from '#server/runs/run.ts';
import { ensureLocalVideo, type LocalVideoDeps } from './local-video.ts';
import {
  deletePublication,
  findPublication,
  hasUpload,
  type Publication,
  updateSession,
  updateUploadedVideo,
} from './publications.repo.ts';
import { type ProgressDeps, progressReporter, UPLOAD_PERCENT } from './publish-progress.ts';
import { PERMANENT, type StepContext, StepError, type StepWork } from './step-outcome.ts';
import { updateYoutubeVideo } from './step-state.repo.ts';
import { type PublishPace, untilReady } from './until-ready.ts';
import { fillVideoTexts } from './video-templates.ts';

type Video = NonNullable<Publication['video']>;

export interface ConvertDeps extends LocalVideoDeps, ProgressDeps {
  recordings: Recordings;
  videoHost: VideoHost | null;
  /** The message for users if `videoHost` is null. */
  videoHostSetup: string;
  /** Templates with `VIDEO_PLACEHOLDERS`. */
  videoTexts: Pick<VideoToPublish, 'title' | 'description'>;
  pace: PublishPace;
  videoRemoval: VideoRemoval;
}

/**
 * Publishes the video once. Resumes an interrupted upload, and only waits for the processing of a
 * video that is uploaded already.
 */
export const convert =
  (deps: ConvertDeps): StepWork =>
  async (context) => {
    const { videoHost } = deps;
    if (!videoHost) throw new StepError(deps.videoHostSetup);
    const { interviewId } = context.run;
    const videoFile = await ensureLocalVideo(deps, context);
    if (await hasSoundOnly(deps, videoFile, context.signal)) throw new StepError(soundOnly(videoHost), PERMANENT);
    const publication = await findPublication(deps.db, interviewId, videoFile);
    const video =
      publication.video ?? (await uploadVideo(deps, videoHost, { context, videoFile, session: publication.session }));
    const state = await untilReady(deps, { videoHost, context, video });
    if (state.status === 'wait') return state;
    return {
      status: 'done',
      async store(tx) {
        await updateYoutubeVideo(tx, interviewId, { ...video, privacy: state.privacy });
        await deletePublication(tx, interviewId);
        return true;
      },
      note: state.note,
    };
  };

const soundOnly = ({ name }: VideoHost) => `Audio only. ${name} needs video; you can still transcribe and summarize.`;

/** Returns false for a recording that cannot be read here. The video host decides about it. */
async function hasSoundOnly({ recordings }: ConvertDeps, videoFile: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { hasSound, pictureSize } = await recordings.inspect(videoFile, signal);
    return hasSound && pictureSize === null;
  } catch (error) {
    if (error instanceof UnreadableRecording) return false;
    throw error;
  }
}

interface UploadInput {
  context: StepContext;
  videoFile: string;
  session: UploadSession | null;
}

async function uploadVideo(
  deps: ConvertDeps,
  videoHost: VideoHost,
  { context, videoFile, session }: UploadInput,
): Promise<Video> {
  const { interviewId } = context.run;
  const file = { interviewId, videoFile };
  const interview = await deps.interviews.findWithoutTexts(interviewId);
  const funnel = await deps.funnels.find(deps.db, context.funnelId);
  const lost = new AbortController();
  const percent = progressReporter(deps, interviewId, () => lost.abort(new RunLost()));
  let latest = session;
  const hosted = await videoHost.upload(
    { name: videoFile, ...fillVideoTexts(deps.videoTexts, interview, funnel?.name ?? '') },
    {
      session,
      async saveSession(session) {
        await context.transaction((tx) => updateSession(tx, file, session));
        latest = session;
      },
      onProgress: (sent, total) => percent((sent / Math.max(1, total)) * UPLOAD_PERCENT),
      signal: AbortSignal.any([context.signal, lost.signal]),
    },
  );
  await context
    .transaction((tx) => updateUploadedVideo(tx, file, hosted))
    .catch(async (error: unknown) => {
      if (error instanceof RunLost) await removeOrphan(deps, interviewId, { video: hosted, session: latest });
      throw error;
    });
  return { id: hosted.id, url: hosted.url, uploadedAt: new Date() };
}

/**
 * If the interview was deleted during the upload, no row refers to the video, and the host must not
 * keep it. If another worker has claimed the step, it resumes the upload or has stored the video.
 */
async function removeOrphan(
  { db, videoRemoval }: ConvertDeps,
  interviewId: string,
  { video, session }: { video: HostedVideo; session: UploadSession | null },
): Promise<void> {
  if (await hasUpload(db, interviewId, { videoId: video.id, session })) return;
  await db.transaction().execute((tx) => videoRemoval.enqueue(tx, [video], { isErased: true }));
}
