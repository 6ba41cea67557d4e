import { sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { HostedVideo, UploadSession } from '#server/ports/video-host.ts';

/** The state of an upload to the video host. */
export interface Publication {
  session: UploadSession | null;
  /** Null until the host has the whole video. */
  video: { id: string; url: string; uploadedAt: Date } | null;
}

/** A recording, by its name in the file store. */
export interface PublishedFile {
  interviewId: string;
  videoFile: string;
}

/** The publication of this recording; empty when the interview has another recording now. */
export async function findPublication(db: Executor, interviewId: string, videoFile: string): Promise<Publication> {
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

/** Stores an upload session before the first byte is sent; null when it is no longer valid. */
export const updateSession = (tx: Executor, file: PublishedFile, session: UploadSession | null) =>
  upsert(tx, file, { session: session && JSON.stringify(session), video_id: null, video_url: null, uploaded_at: null });

/** Stores that the host has the whole video. */
export const updateUploadedVideo = (tx: Executor, file: PublishedFile, video: HostedVideo) =>
  upsert(tx, file, { session: null, video_id: video.id, video_url: video.url, uploaded_at: new Date() });

async function upsert(
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

/** True while the interview has this video, or an upload in this session. */
export async function hasUpload(
  db: Executor,
  interviewId: string,
  { videoId, session }: { videoId: string; session: UploadSession | null },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM publication
    WHERE interview_id = ${interviewId} AND (video_id = ${videoId} OR session->>'address' = ${session?.address ?? null}::text)
    UNION ALL SELECT FROM interview WHERE id = ${interviewId} AND youtube_id = ${videoId}
  `.execute(db);
  return rows.length > 0;
}

/** The next conversion uploads the video again. */
export const deletePublication = (tx: Executor, interviewId: string) =>
  tx.deleteFrom('publication').where('interview_id', '=', interviewId).execute();
