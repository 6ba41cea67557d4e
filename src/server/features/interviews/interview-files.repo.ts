import { sql } from 'kysely';
import { anyOf, type Executor } from '#server/db/database.ts';
import type { FileKind } from '#server/ports/file-store.ts';
import {
  COLUMNS_OF_FILE,
  type FileColumns,
  filesIn,
  type InterviewFile,
  identifyAnswerFile,
  identifyFile,
} from './interview-files.ts';
import { listSegments, segmentFiles } from './segments/segments.repo.ts';

/**
 * A downloaded file. `seconds` is the duration of a video; null when it is unknown or already
 * stored.
 */
export type DownloadedFile = InterviewFile & { name: string; seconds: number | null };

/** Finds the interview of a stored file, which may be the file of one of its answers. */
export async function findInterviewOfFile(db: Executor, kind: FileKind, name: string) {
  const column = sql.ref(COLUMNS_OF_FILE[kind][1]);
  const { rows } = await sql<{ id: string; title: string; funnel_id: number }>`
    SELECT id, title, funnel_id FROM interview WHERE ${column} = ${name}
    UNION ALL
    SELECT id, title, funnel_id FROM interview
    WHERE id = (SELECT interview_id FROM interview_segment WHERE ${column} = ${name} LIMIT 1)
    LIMIT 1
  `.execute(db);
  return rows[0];
}

const FILE_COLUMNS = ['id', 'video_url', 'video_file', 'thumbnail_url', 'thumbnail_file'] as const;

export const listFileColumns = (db: Executor, ids: readonly string[]): Promise<FileColumns[]> =>
  db
    .selectFrom('interview')
    .select(FILE_COLUMNS)
    .select(segmentFiles('interview.id').as('segments'))
    .where('id', '=', anyOf(ids))
    .execute();

/** Locks in id order, like the transaction of a page, to avoid deadlocks. */
const lockFileColumns = (tx: Executor, ids: readonly string[]) =>
  tx.selectFrom('interview').select(FILE_COLUMNS).where('id', '=', anyOf(ids)).orderBy('id').forNoKeyUpdate().execute();

/**
 * Stores the names of downloaded files and the URLs that they belong to, except where an
 * interview was deleted or got another URL in the meantime. Returns for each file the name it
 * replaced (null for none), or undefined where the file is no longer needed.
 */
export async function updateFileNames(
  tx: Executor,
  files: readonly DownloadedFile[],
): Promise<({ replaced: string | null } | undefined)[]> {
  const ids = files.map(({ interviewId }) => interviewId);
  const interviews = new Map((await lockFileColumns(tx, ids)).map((row) => [row.id, row]));
  const segments = Map.groupBy(await listSegments(tx, ids), (row) => row.interview_id);
  const results = files.map(({ interviewId, segmentId, kind, url, name }) => {
    const row =
      segmentId === null
        ? interviews.get(interviewId)
        : segments.get(interviewId)?.find(({ source_id }) => source_id === segmentId);
    const stored = row && filesIn(row).find((file) => file.kind === kind);
    const identify = segmentId === null ? identifyFile : identifyAnswerFile;
    if (!stored?.url || identify(stored.url) !== identify(url)) return undefined;
    return { replaced: stored.name === name ? null : stored.name };
  });
  await updateFiles(
    tx,
    files.filter((_, index) => results[index]),
  );
  return results;
}

/** A duration is stored where none is known. */
async function updateFiles(tx: Executor, files: readonly DownloadedFile[]): Promise<void> {
  const columns = sql`
    video_url = coalesce(file.video_url, stored.video_url),
    video_file = coalesce(file.video_file, stored.video_file),
    thumbnail_url = coalesce(file.thumbnail_url, stored.thumbnail_url),
    thumbnail_file = coalesce(file.thumbnail_file, stored.thumbnail_file),
    duration_seconds = CASE stored.duration_seconds WHEN 0 THEN coalesce(file.seconds, 0) ELSE stored.duration_seconds END`;
  // A statement updates a row once, so the files of a row share an element.
  const byRow = sql`(
    SELECT "interviewId" AS interview_id, "segmentId" AS segment_id, max(seconds) AS seconds,
      max(url) FILTER (WHERE kind = 'video') AS video_url, max(name) FILTER (WHERE kind = 'video') AS video_file,
      max(url) FILTER (WHERE kind = 'thumbnail') AS thumbnail_url, max(name) FILTER (WHERE kind = 'thumbnail') AS thumbnail_file
    FROM jsonb_to_recordset(${JSON.stringify(files)}::jsonb)
      AS f ("interviewId" text, "segmentId" text, kind text, url text, name text, seconds int)
    GROUP BY 1, 2
  ) AS file`;
  if (files.some(({ segmentId }) => segmentId === null))
    await sql`
      UPDATE interview AS stored SET ${columns} FROM ${byRow}
      WHERE stored.id = file.interview_id AND file.segment_id IS NULL
    `.execute(tx);
  if (files.some(({ segmentId }) => segmentId !== null))
    await sql`
      UPDATE interview_segment AS stored SET ${columns} FROM ${byRow}
      WHERE stored.interview_id = file.interview_id AND stored.source_id = file.segment_id
    `.execute(tx);
}

/** The files of an interview whose recording has no URL. */
export interface UploadedFiles {
  video: string;
  thumbnail: string | null;
}

export const updateUploadedFiles = (tx: Executor, id: string, { video, thumbnail }: UploadedFiles) =>
  tx.updateTable('interview').set({ video_file: video, thumbnail_file: thumbnail }).where('id', '=', id).execute();

export async function updateFileUrl(db: Executor, { interviewId, segmentId, kind, url }: InterviewFile): Promise<void> {
  const column = { [COLUMNS_OF_FILE[kind][0]]: url };
  const updated =
    segmentId === null
      ? db.updateTable('interview').set(column).where('id', '=', interviewId)
      : db
          .updateTable('interview_segment')
          .set(column)
          .where('interview_id', '=', interviewId)
          .where('source_id', '=', segmentId);
  await updated.execute();
}
