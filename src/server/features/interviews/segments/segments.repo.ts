import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { SeparateAnswers } from '#contracts/interviews.ts';
import { anyOf, type Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';
import type { FileColumns } from '#server/features/interviews/interview-files.ts';

export type StoredSegment = Selectable<DB['interview_segment']>;

/** Lists the segments, ordered by interview and position. */
export const listSegments = (db: Executor, interviewIds: readonly string[]): Promise<StoredSegment[]> =>
  db
    .selectFrom('interview_segment')
    .selectAll()
    .where('interview_id', '=', anyOf(interviewIds))
    .orderBy('interview_id')
    .orderBy('position')
    .execute();

/** Selects the URLs and files of an interview's segments. `id` is the column with its id. */
export const segmentFiles = (id: string): RawBuilder<FileColumns['segments']> => sql`coalesce((
  SELECT jsonb_agg(jsonb_build_object('video_url', s.video_url, 'video_file', s.video_file,
    'thumbnail_url', s.thumbnail_url, 'thumbnail_file', s.thumbnail_file) ORDER BY s.position)
  FROM interview_segment AS s WHERE s.interview_id = ${sql.ref(id)}), '[]')`;

/**
 * Selects what is known of the recorded answers of an interview without a video, null for all
 * others. `interview` is the name of its table in the query.
 */
export const separateAnswers = (interview: string): RawBuilder<SeparateAnswers | null> => sql`CASE
  WHEN ${sql.ref(`${interview}.video_file`)} IS NULL AND ${sql.ref(`${interview}.video_url`)} IS NULL THEN (
    SELECT jsonb_build_object('seconds', sum(s.duration_seconds), 'isPreparing', NOT coalesce(bool_and(s.cannot_join), false))
    FROM interview_segment AS s
    WHERE s.interview_id = ${sql.ref(`${interview}.id`)}
      AND (s.video_url IS NOT NULL OR s.video_file IS NOT NULL OR NOT s.is_ready)
    HAVING count(*) > 0) END`;

/** Replaces the segments of these interviews, which the caller has locked or inserted. */
export async function replaceSegments(
  tx: Executor,
  interviewIds: readonly string[],
  rows: readonly StoredSegment[],
): Promise<void> {
  if (interviewIds.length === 0) return;
  await sql`DELETE FROM interview_segment WHERE interview_id = ANY(${interviewIds}::text[])`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    INSERT INTO interview_segment
    SELECT * FROM jsonb_populate_recordset(NULL::interview_segment, ${JSON.stringify(rows)}::jsonb)
  `.execute(tx);
}

/** Stores where the answers start in the joined recording, in the order of `segmentIds`. */
export async function updateStarts(
  tx: Executor,
  interviewId: string,
  { segmentIds, startSeconds, seconds }: { segmentIds: readonly string[]; startSeconds: number[]; seconds: number[] },
): Promise<void> {
  await sql`
    UPDATE interview_segment AS s SET start_seconds = j.start_seconds,
      duration_seconds = CASE s.duration_seconds WHEN 0 THEN j.seconds ELSE s.duration_seconds END
    FROM unnest(${segmentIds}::text[], ${startSeconds}::float8[], ${seconds}::float8[])
      AS j (source_id, start_seconds, seconds)
    WHERE s.interview_id = ${interviewId} AND s.source_id = j.source_id
  `.execute(tx);
}

/** Stores that the recordings of these answers differ too much to be joined. */
export const updateCannotJoin = (db: Executor, interviewId: string, segmentIds: readonly string[]) =>
  db
    .updateTable('interview_segment')
    .set({ cannot_join: true })
    .where('interview_id', '=', interviewId)
    .where('source_id', '=', anyOf(segmentIds))
    .execute();

/** One refresh reads at most this many interviews again because a recording was not ready. */
const MAX_UNREADY = 500;

/**
 * Lists interviews of a funnel that are not archived and whose recordings the service still
 * processed at the last refresh.
 */
export const listUnready = (db: Executor, funnelId: number, recordedAfter?: Date) =>
  db
    .selectFrom('interview')
    .select(['id', 'created_at as createdAt'])
    .where('funnel_id', '=', funnelId)
    .where('archived_at', 'is', null)
    .$if(recordedAfter !== undefined, (query) => query.where('recorded_at', '>', recordedAfter as Date))
    .where(
      sql<boolean>`EXISTS (SELECT FROM interview_segment AS s WHERE s.interview_id = interview.id AND NOT s.is_ready)`,
    )
    .orderBy('id')
    .limit(MAX_UNREADY)
    .execute();
