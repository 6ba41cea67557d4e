import { type SqlBool, sql } from 'kysely';
import type { Question } from '#contracts/interviews.ts';
import type { ClientVerdict, SharedItem, SharedParts } from '#contracts/shares.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import type { Executor } from '#server/db/database.ts';
import { PREPARED } from '#server/db/prepared.ts';
import type { FileKind } from '#server/ports/file-store.ts';

/** A working link, with its recipient's rights. */
export interface OpenableShare {
  id: number;
  tokenHash: Buffer;
  title: string;
  message: string | null;
  recipient: string;
  sender: string;
  /** The account of the sender. */
  senderId: number | null;
  expiresAt: Date;
  /** Until it expires, by the clock of the database. */
  remainingMs: number;
  closedAt: Date | null;
  passcodeHash: string | null;
  shows: SharedParts;
  mayComment: boolean;
  mayDecide: boolean;
  /** The names of the stored files of its items, by `n`. */
  files: Record<number, Record<FileKind, string | null>>;
}

/** The parts of `share_batch AS b` that recipients see. */
export const SHOWN = sql`jsonb_build_object('name', b.name_shown, 'contact', b.shows_contact,
  'transcript', b.shows_transcript, 'summary', b.shows_summary, 'questions', b.shows_questions)`;

/** Links that are neither expired nor revoked. */
const IS_VALID = sql<SqlBool>`share.revoked_at IS NULL AND share.expires_at > now()`;

/** Returns the valid links of these hashes that contain an interview. */
export async function listOpenable(db: Executor, tokenHashes: readonly Buffer[]): Promise<OpenableShare[]> {
  const { rows } = await sql<OpenableShare>`${PREPARED}
    SELECT share.token_hash AS "tokenHash", share.id, b.title, b.message, share.recipient_name AS recipient,
      b.created_by_name AS sender, b.created_by AS "senderId", share.expires_at AS "expiresAt",
      extract(epoch FROM share.expires_at - now())::float8 * 1000 AS "remainingMs", share.closed_at AS "closedAt",
      b.passcode_hash AS "passcodeHash", b.may_comment AS "mayComment", b.may_decide AS "mayDecide",
      ${SHOWN} AS shows, items.files
    FROM share JOIN share_batch AS b ON b.id = share.batch_id
    CROSS JOIN LATERAL (
      SELECT jsonb_object_agg(item.n, jsonb_build_object('video', i.video_file, 'thumbnail', i.thumbnail_file)) AS files
      FROM share_item AS item JOIN interview AS i ON i.id = item.interview_id WHERE item.share_id = share.id
    ) AS items
    WHERE share.token_hash = ANY(${tokenHashes}::bytea[]) AND ${IS_VALID} AND items.files IS NOT NULL
  `.execute(db);
  return rows;
}

/** Lists the funnels of a link's interviews. */
export async function listFunnelsOf(db: Executor, shareId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('share_item')
    .innerJoin('interview', 'interview.id', 'share_item.interview_id')
    .select('funnel_id')
    .distinct()
    .where('share_id', '=', shareId)
    .execute();
  return rows.map(({ funnel_id }) => funnel_id);
}

/** Stores an opening. True for the first one. */
export async function updateOpened(tx: Executor, id: number): Promise<boolean> {
  const { rows } = await sql<{ isFirst: boolean }>`
    WITH former AS (SELECT id, opened_at FROM share WHERE id = ${id} FOR UPDATE)
    UPDATE share SET opened_at = coalesce(share.opened_at, now()), passcode_tries = 0
    FROM former WHERE share.id = former.id
    RETURNING former.opened_at IS NULL AS "isFirst"
  `.execute(tx);
  return rows[0]?.isFirst ?? false;
}

/** Counts an attempt before it is made, so that concurrent ones cannot exceed the limit. */
export async function countPasscodeTry(db: Executor, id: number, limit: number): Promise<number | undefined> {
  const row = await db
    .updateTable('share')
    .set((share) => ({ passcode_tries: share('passcode_tries', '+', 1) }))
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .where('passcode_tries', '<', limit)
    .returning('passcode_tries')
    .executeTakeFirst();
  return row?.passcode_tries;
}

/** Returns false if the link is already closed. */
export async function updateClosed(tx: Executor, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('share')
    .set({ closed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** `transcript`, `segments` and `summary` are also null when they are not shown. */
export interface GuestItemRow
  extends Pick<
    SharedItem,
    'n' | 'title' | 'durationSeconds' | 'transcript' | 'summary' | 'verdict' | 'verdictNote' | 'comments'
  > {
  interviewId: string;
  candidateName: string | null;
  candidateEmail: string | null;
  candidatePhone: string | null;
  videoFile: string | null;
  thumbnailFile: string | null;
  questions: Question[];
  segments: TranscriptSegment[] | null;
}

/** Columns of `interview AS i` and `interview_text AS t`, without the texts that are not shown. */
export const contentOf = (shows: SharedParts) => sql`
  i.id AS "interviewId", i.title, i.candidate_name AS "candidateName",
  i.candidate_email AS "candidateEmail", i.candidate_phone AS "candidatePhone",
  i.duration_seconds AS "durationSeconds", i.video_file AS "videoFile", i.thumbnail_file AS "thumbnailFile", i.questions,
  CASE WHEN ${shows.transcript}::bool THEN t.transcription_text END AS transcript,
  CASE WHEN ${shows.transcript}::bool THEN t.segments END AS segments,
  CASE WHEN ${shows.summary}::bool THEN t.summary_text END AS summary`;

/**
 * The items of a link. None when it has been replaced, revoked or has expired since it was found.
 */
const itemsOf = ({ id, tokenHash, shows }: OpenableShare) => sql`
  SELECT item.n, ${contentOf(shows)}, item.verdict, item.verdict_note AS "verdictNote", coalesce((
      SELECT jsonb_agg(jsonb_build_object('id', c.id, 'atSeconds', c.at_seconds, 'body', c.body, 'createdAt', c.created_at)
        ORDER BY c.at_seconds, c.id)
      FROM share_comment AS c WHERE c.share_id = item.share_id AND c.n = item.n), '[]') AS comments
  FROM share JOIN share_item AS item ON item.share_id = share.id JOIN interview AS i ON i.id = item.interview_id
  LEFT JOIN interview_text AS t ON t.interview_id = i.id
  WHERE share.id = ${id} AND share.token_hash = ${tokenHash} AND ${IS_VALID}`;

/** Includes the transcript and the summary only if the link shows them. */
export async function listGuestItems(db: Executor, share: OpenableShare): Promise<GuestItemRow[]> {
  const { rows } = await sql<GuestItemRow>`${itemsOf(share)} ORDER BY item.n`.execute(db);
  return rows;
}

export async function findGuestItem(db: Executor, share: OpenableShare, n: number): Promise<GuestItemRow | undefined> {
  const { rows } = await sql<GuestItemRow>`${itemsOf(share)} AND item.n = ${n}::int`.execute(db);
  return rows[0];
}

interface ItemKey {
  shareId: number;
  n: number;
}

/** An item before a change. */
export interface FormerItem {
  interviewId: string;
  title: string;
  verdict: ClientVerdict | null;
  verdictNote: string | null;
  isFirstWatching: boolean;
}

/**
 * Blocks other writers of the item. Undefined when it does not exist, or its link is no longer
 * valid.
 */
export async function lockGuestItem(tx: Executor, { id, tokenHash }: OpenableShare, n: number) {
  const { rows } = await sql<FormerItem>`
    SELECT i.id AS "interviewId", i.title, item.verdict, item.verdict_note AS "verdictNote",
      item.first_watched_at IS NULL AS "isFirstWatching"
    FROM share JOIN share_item AS item ON item.share_id = share.id JOIN interview AS i ON i.id = item.interview_id
    WHERE share.id = ${id} AND share.token_hash = ${tokenHash} AND ${IS_VALID} AND item.n = ${n} FOR UPDATE OF item
  `.execute(tx);
  return rows[0];
}

/** A bound for recordings of unknown duration, so that the ranges of an item stay small. */
const MAX_UNKNOWN_SECONDS = 4 * 60 * 60;

/** Adds whole seconds `[from, to)`. Parts after the end of the recording do not count. */
export async function addWatched(
  tx: Executor,
  { shareId, n }: ItemKey,
  ranges: readonly (readonly [from: number, to: number])[],
): Promise<void> {
  const added = `{${ranges.map(([from, to]) => `[${from},${to})`).join(',')}}`;
  await sql`
    UPDATE share_item AS item SET first_watched_at = coalesce(first_watched_at, now()),
      watched = (item.watched + ${added}::int4multirange) * int4multirange(int4range(0,
        CASE i.duration_seconds WHEN 0 THEN ${MAX_UNKNOWN_SECONDS}::int ELSE i.duration_seconds END))
    FROM interview AS i WHERE i.id = item.interview_id AND item.share_id = ${shareId} AND item.n = ${n}
  `.execute(tx);
}

export async function updateVerdict(
  tx: Executor,
  { shareId, n }: ItemKey,
  { verdict, note }: { verdict: ClientVerdict; note: string | null },
): Promise<void> {
  await tx
    .updateTable('share_item')
    .set({ verdict, verdict_note: note, decided_at: sql<Date>`now()` })
    .where('share_id', '=', shareId)
    .where('n', '=', n)
    .execute();
}

export async function countComments(db: Executor, shareId: number): Promise<number> {
  const { n } = await db
    .selectFrom('share_comment')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('share_id', '=', shareId)
    .executeTakeFirstOrThrow();
  return n;
}

export const insertComment = (
  tx: Executor,
  { shareId, n }: ItemKey,
  { atSeconds, body }: { atSeconds: number; body: string },
): Promise<{ id: number; created_at: Date }> =>
  tx
    .insertInto('share_comment')
    .values({ share_id: shareId, n, at_seconds: atSeconds, body })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow();
