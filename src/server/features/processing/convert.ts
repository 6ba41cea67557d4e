import type { Interview } from '#contracts/interviews.ts';
import { plainText } from '#contracts/rules/plain-text.ts';
import type { Database } from '../../db/database.ts';
import type { UploadSession, VideoHost } from '../../ports/video-host.ts';
import type { Tombstones } from '../candidates/tombstones.service.ts';
import type { VideoRemoval } from '../candidates/video-removal.service.ts';
import type { Interviews } from '../interviews/interviews.service.ts';
import { type LocalVideoDependencies, localVideo } from './local-video.ts';
import {
  type Publication,
  readPublication,
  rememberSession,
  rememberVideo,
  storePublished,
} from './publications.repo.ts';
import { progressReporter, UPLOAD_PERCENT } from './publish-progress.ts';
import { StepFailed, StepLost } from './step-ended.ts';
import type { StepContext, StepWork } from './step-worker.ts';
import { type PublishPace, untilReady } from './until-ready.ts';

type Video = NonNullable<Publication['video']>;

export interface ConvertDependencies extends LocalVideoDependencies {
  db: Database;
  interviews: Interviews;
  videoHost: VideoHost | null;
  pace: PublishPace;
  tombstones: Tombstones;
  videoRemoval: VideoRemoval;
}

/** Publishes the video once: an earlier try's upload is gone on with, and a video that is there already is only waited for. */
export const convert =
  (on: ConvertDependencies): StepWork =>
  async (context) => {
    const { videoHost } = on;
    if (!videoHost) throw new StepFailed('YouTube is no longer connected to this installation.');
    const { interviewId } = context.run;
    const videoFile = await localVideo(on, { ...context, interviewId });
    const publication = await readPublication(on.db, interviewId, videoFile);
    const known =
      publication.video ?? (await upload(on, videoHost, { ...context, videoFile, session: publication.session }));
    const { privacy } = await untilReady(on, { videoHost, context, video: known });
    return {
      store: (tx) => storePublished(tx, interviewId, { ...known, privacy }),
      note: privacy === null || privacy === videoHost.privacy ? null : privacyNote(privacy, videoHost.privacy),
    };
  };

const privacyNote = (is: string, wanted: string) =>
  `YouTube made this video ${is}, although ${wanted} was asked for. It does so with videos of projects that Google has not audited.`;

interface Uploading extends StepContext {
  videoFile: string;
  session: UploadSession | null;
}

async function upload(on: ConvertDependencies, videoHost: VideoHost, context: Uploading): Promise<Video> {
  const { run, transaction, videoFile, session } = context;
  const file = { interviewId: run.interviewId, videoFile };
  const interview = await on.interviews.find(run.interviewId);
  const lost = new AbortController();
  const percent = progressReporter(on.db, run.interviewId, () => lost.abort(new StepLost()));
  const hosted = await videoHost.upload(
    { name: videoFile, title: interview.title, description: videoDescription(interview) },
    {
      session,
      remember: (session) => transaction((tx) => rememberSession(tx, file, session)),
      report: (sent, total) => percent((sent / Math.max(1, total)) * UPLOAD_PERCENT),
      signal: AbortSignal.any([context.signal, lost.signal]),
    },
  );
  await transaction((tx) => rememberVideo(tx, file, hosted)).catch(async (error: unknown) => {
    // Erased while the last bytes were on their way: the host must not keep it.
    const isErased = error instanceof StepLost && (await on.tombstones.has(on.db, run.interviewId));
    if (isErased) await on.db.transaction().execute((tx) => on.videoRemoval.enqueue(tx, [hosted]));
    throw error;
  });
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
