import { type Selectable, sql } from 'kysely';
import type { SeparateAnswers } from '#contracts/interviews.ts';
import { anyIdOf, anyOf, type Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';
import type { UploadSession } from '#server/ports/video-host.ts';
import type { FileColumns } from './interview-files.ts';
import { isWatchedBy, recommendationOf } from './listing/marks.repo.ts';
import { pushOf, type StoredPush } from './push.repo.ts';
import { segmentFiles, separateAnswers } from './segments/segments.repo.ts';

export type StoredInterview = Selectable<DB['interview']>;

/** An interview with the names of its funnel and its texts. */
export type InterviewRow = StoredInterview & {
  client_name: string | null;
  external_id: string;
  transcription_text: string | null;
  summary_text: string | null;
  /** Whether the requesting account has watched it. */
  watched: boolean;
  /** From the requesting account's submitted review. */
  my_recommendation: number | null;
  /** Undefined where it does not matter. */
  push?: StoredPush | null;
  /** Undefined where it does not matter. */
  separate_answers?: SeparateAnswers | null;
};

/** With the marks of the account; null: without any. */
export const findInterview = (db: Executor, id: string, accountId: number | null): Promise<InterviewRow | undefined> =>
  db
    .selectFrom('interview')
    .innerJoin('funnel', 'funnel.id', 'interview.funnel_id')
    .leftJoin('interview_text', 'interview_text.interview_id', 'interview.id')
    .selectAll('interview')
    .select(['funnel.client_name', 'funnel.external_id'])
    .select(['interview_text.transcription_text', 'interview_text.summary_text'])
    .select(separateAnswers('interview').as('separate_answers'))
    .select(pushOf('interview').as('push'))
    .select(isWatchedBy(accountId, 'interview.id').as('watched'))
    .select(recommendationOf(accountId, 'interview.id').as('my_recommendation'))
    .where('interview.id', '=', id)
    .executeTakeFirst();

/** Returns the given interviews that are in these funnels. */
export async function listIdsInFunnels(db: Executor, ids: readonly string[], funnelIds: readonly number[]) {
  const found = db.selectFrom('interview').select('id').where('id', '=', anyOf(ids));
  return (await found.where('funnel_id', '=', anyIdOf(funnelIds)).orderBy('id').execute()).map(({ id }) => id);
}

export const findFunnelOf = async (db: Executor, id: string): Promise<number | undefined> =>
  (await db.selectFrom('interview').select('funnel_id').where('id', '=', id).executeTakeFirst())?.funnel_id;

/** Returns false when the interview does not exist. */
export async function updateDuration(db: Executor, id: string, seconds: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('interview')
    .set({ duration_seconds: seconds })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The part of an interview that events about it contain. */
export interface RecordedInterview {
  title: string;
  funnelId: number;
}

/** Archiving twice keeps the first moment. Undefined when the interview does not exist. */
export async function updateArchived(db: Executor, id: string, { isArchived }: { isArchived: boolean }) {
  const row = await db
    .selectFrom('interview')
    .select(['title', 'funnel_id as funnelId', 'archived_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  const hasChanged = (row.archived_at !== null) !== isArchived;
  if (hasChanged) await updateArchivedAll(db, [id], { isArchived });
  return { title: row.title, funnelId: row.funnelId, hasChanged };
}

/** For many interviews that the caller has locked. */
export const updateArchivedAll = (tx: Executor, ids: readonly string[], { isArchived }: { isArchived: boolean }) =>
  tx
    .updateTable('interview')
    .set({ archived_at: isArchived ? sql<Date>`now()` : null })
    .where('id', '=', anyOf(ids))
    .execute();

export interface StoredDestination {
  destinationId: string;
  notes: string | null;
}

/** For many interviews that the caller has locked. Without new notes, interviews keep theirs. */
export const updateDestinationAll = (
  tx: Executor,
  ids: readonly string[],
  { destinationId, notes }: StoredDestination,
) =>
  tx
    .updateTable('interview')
    .set({
      destination_id: destinationId,
      destination_at: sql<Date>`now()`,
      ...(notes !== null && { destination_notes: notes }),
    })
    .where('id', '=', anyOf(ids))
    .execute();

/** A destination as an interview had it, or none. */
export interface FormerDestination {
  interviewId: string;
  destinationId: string | null;
  notes: string | null;
  at: Date | null;
}

/** For interviews that the caller has locked. */
export const updateDestinationsToFormer = (tx: Executor, former: readonly FormerDestination[]) =>
  sql`
    UPDATE interview SET
      destination_id = former."destinationId", destination_notes = former.notes, destination_at = former.at
    FROM jsonb_to_recordset(${JSON.stringify(former)}::jsonb)
      AS former ("interviewId" text, "destinationId" text, notes text, at timestamptz)
    WHERE interview.id = former."interviewId"
  `.execute(tx);

/** Counts only interviews of these funnels, if not null. */
export async function countWithDestination(db: Executor, ids: readonly string[], funnelIds: readonly number[] | null) {
  const { n } = await db
    .selectFrom('interview')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('id', '=', anyOf(ids))
    .where('destination_id', 'is not', null)
    .$if(funnelIds !== null, (query) => query.where('funnel_id', '=', anyIdOf(funnelIds ?? [])))
    .executeTakeFirstOrThrow();
  return n;
}

export const updateDestination = (db: Executor, id: string, { destinationId, notes }: StoredDestination) =>
  db
    .updateTable('interview')
    .set({ destination_id: destinationId, destination_notes: notes, destination_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returning(['title', 'funnel_id as funnelId'])
    .executeTakeFirst();

/**
 * The destination that was set last for the client of a funnel in the visible funnels (null: all),
 * or for the funnel when it has no client. Undefined when the funnel does not exist.
 */
export async function findLastDestination(db: Executor, funnelId: number, visible: readonly number[] | null) {
  const { rows } = await sql<{ destinationId: string | null }>`
    SELECT last.destination_id AS "destinationId"
    FROM funnel AS asked
    JOIN funnel AS other ON other.id = asked.id OR other.client_name = asked.client_name
    LEFT JOIN LATERAL (
      SELECT destination_id, destination_at FROM interview
      WHERE interview.funnel_id = other.id AND destination_id IS NOT NULL
      ORDER BY destination_at DESC NULLS LAST LIMIT 1
    ) AS last ON true
    WHERE asked.id = ${funnelId} AND (${visible}::int[] IS NULL OR other.id = ANY(${visible}::int[]))
    ORDER BY last.destination_at DESC NULLS LAST, last.destination_id NULLS LAST
    LIMIT 1
  `.execute(db);
  return rows[0];
}

/**
 * Blocks every other writer, also of rows that refer to these interviews, until the transaction
 * ends.
 */
export async function lockForDeletion(tx: Executor, ids: readonly string[]): Promise<void> {
  await tx.selectFrom('interview').select('id').where('id', '=', anyOf(ids)).orderBy('id').forUpdate().execute();
}

/**
 * Texts, steps, publications, parts of transcripts and files to download are deleted with their
 * interview.
 */
export const deleteInterviews = (tx: Executor, ids: readonly string[]) =>
  tx.deleteFrom('interview').where('id', '=', anyOf(ids)).execute();

/** `lockForDeletion` for all interviews of a funnel. */
export async function lockFunnelForDeletion(tx: Executor, funnelId: number): Promise<void> {
  await sql`SELECT FROM interview WHERE funnel_id = ${funnelId} ORDER BY id FOR UPDATE`.execute(tx);
}

/** The files and videos to remove after the row of an interview was deleted. */
export type DeletedRow = FileColumns &
  Pick<StoredInterview, 'candidate_name' | 'candidate_email' | 'candidate_phone' | 'original_url'> & {
    /** The published video; also one that cannot be watched yet. */
    video_id: string | null;
    hosted_url: string | null;
    /** The upload whose video is not stored yet. */
    session: UploadSession | null;
  };

/** A recording is stored as one file, or as one for each answer. */
export async function countInterviewsOfFunnel(db: Executor, funnelId: number) {
  const { rows } = await sql<{ interviews: number; recordings: number }>`
    SELECT count(*)::int AS interviews, count(*) FILTER (WHERE video_file IS NOT NULL OR EXISTS (
      SELECT FROM interview_segment AS s WHERE s.interview_id = i.id AND s.video_file IS NOT NULL))::int AS recordings
    FROM interview AS i WHERE funnel_id = ${funnelId}
  `.execute(db);
  return rows[0] ?? { interviews: 0, recordings: 0 };
}

/** The first interviews of a funnel by id. */
export async function listIdsOfFunnel(tx: Executor, funnelId: number, limit: number): Promise<string[]> {
  const found = tx.selectFrom('interview').select('id').where('funnel_id', '=', funnelId);
  return (await found.orderBy('id').limit(limit).execute()).map(({ id }) => id);
}

/** `deleteInterviews` that returns what it deleted. */
export async function deleteListedInterviews(tx: Executor, ids: readonly string[]): Promise<DeletedRow[]> {
  const { rows } = await sql<DeletedRow>`
    DELETE FROM interview AS i
    USING unnest(${ids}::text[]) AS listed (id) LEFT JOIN publication AS p ON p.interview_id = listed.id
    WHERE i.id = listed.id
    RETURNING i.id, i.candidate_name, i.candidate_email, i.candidate_phone, i.original_url,
      i.video_url, i.video_file, i.thumbnail_url, i.thumbnail_file, ${segmentFiles('i.id')} AS segments,
      coalesce(i.youtube_id, p.video_id) AS video_id, coalesce(i.youtube_url, p.video_url) AS hosted_url, p.session
  `.execute(tx);
  return rows;
}

/**
 * Stores the recording that was joined from the segments of a locked interview, and its duration.
 */
export const updateJoined = (tx: Executor, id: string, { name, seconds }: { name: string; seconds: number }) =>
  tx.updateTable('interview').set({ video_file: name, duration_seconds: seconds }).where('id', '=', id).execute();

/** Blocks other writers of the interview. Undefined when it does not exist. */
export const lockVideoFile = (tx: Executor, id: string) =>
  tx
    .selectFrom('interview')
    .select(['video_file', 'funnel_id'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
