import type { Executor } from '../../db/database.ts';
import type { HostedVideo, UploadSession } from '../../ports/video-host.ts';

/** How far a video has got at the host. */
export interface Publication {
  session: UploadSession | null;
  /** The video, once the host has it whole; null before. */
  video: { id: string; url: string; uploadedAt: Date } | null;
}

export async function readPublication(db: Executor, interviewId: string): Promise<Publication> {
  const row = await db.selectFrom('publication').selectAll().where('interview_id', '=', interviewId).executeTakeFirst();
  const { session = null, video_id, video_url, uploaded_at } = row ?? {};
  return {
    session: session as UploadSession | null,
    video: video_id && video_url && uploaded_at ? { id: video_id, url: video_url, uploadedAt: uploaded_at } : null,
  };
}

/** The upload's address, before the first byte is sent to it; null when there is none any more. */
export async function rememberSession(tx: Executor, interviewId: string, session: UploadSession | null): Promise<void> {
  const value = session && JSON.stringify(session);
  await tx
    .insertInto('publication')
    .values({ interview_id: interviewId, session: value })
    .onConflict((conflict) => conflict.column('interview_id').doUpdateSet({ session: value }))
    .execute();
}

/** The host has the whole video: the upload is over. */
export async function rememberVideo(tx: Executor, interviewId: string, video: HostedVideo): Promise<void> {
  const values = { session: null, video_id: video.id, video_url: video.url, uploaded_at: new Date() };
  await tx
    .insertInto('publication')
    .values({ interview_id: interviewId, ...values })
    .onConflict((conflict) => conflict.column('interview_id').doUpdateSet(values))
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
