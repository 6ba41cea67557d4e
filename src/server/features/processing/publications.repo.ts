import type { Executor } from '../../db/database.ts';
import type { HostedVideo, UploadSession } from '../../ports/video-host.ts';

/** How far a video has got at the host. */
export interface Publication {
  session: UploadSession | null;
  /** The video, once the host has it whole; null before. */
  video: { id: string; url: string; uploadedAt: Date } | null;
}

/** A recording, by its name in the file store. */
export interface PublishedFile {
  interviewId: string;
  videoFile: string;
}

/** Of this recording; nothing when the interview has another one by now. */
export async function readPublication(db: Executor, interviewId: string, videoFile: string): Promise<Publication> {
  const row = await db
    .selectFrom('publication')
    .selectAll()
    .where('interview_id', '=', interviewId)
    .where('video_file', '=', videoFile)
    .executeTakeFirst();
  const { session = null, video_id, video_url, uploaded_at } = row ?? {};
  return {
    session: session as UploadSession | null,
    video: video_id && video_url && uploaded_at ? { id: video_id, url: video_url, uploadedAt: uploaded_at } : null,
  };
}

/** The upload's address, before the first byte is sent to it; null when there is none any more. */
export const rememberSession = (tx: Executor, of: PublishedFile, session: UploadSession | null) =>
  write(tx, of, { session: session && JSON.stringify(session), video_id: null, video_url: null, uploaded_at: null });

/** The host has the whole video: the upload is over. */
export const rememberVideo = (tx: Executor, of: PublishedFile, video: HostedVideo) =>
  write(tx, of, { session: null, video_id: video.id, video_url: video.url, uploaded_at: new Date() });

async function write(
  tx: Executor,
  { interviewId, videoFile }: PublishedFile,
  values: { session: string | null; video_id: string | null; video_url: string | null; uploaded_at: Date | null },
): Promise<void> {
  const all = { ...values, video_file: videoFile };
  await tx
    .insertInto('publication')
    .values({ interview_id: interviewId, ...all })
    .onConflict((conflict) => conflict.column('interview_id').doUpdateSet(all))
    .execute();
}

/** The next try starts from nothing. */
export const forgetPublication = (tx: Executor, interviewId: string) =>
  tx.deleteFrom('publication').where('interview_id', '=', interviewId).execute();

/** The video can be watched: it is named on its interview. */
export async function storePublished(
  tx: Executor,
  interviewId: string,
  video: { id: string; url: string; privacy: string | null },
): Promise<void> {
  await tx
    .updateTable('interview')
    .set({ youtube_id: video.id, youtube_url: video.url, youtube_privacy: video.privacy, youtube_progress: 100 })
    .where('id', '=', interviewId)
    .execute();
  await forgetPublication(tx, interviewId);
}
