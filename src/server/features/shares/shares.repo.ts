import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely';
import type { Share, ShareState } from '#contracts/shares.ts';
import { anyIdOf, anyOf, type Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

/** The caller. `funnelIds` are the visible funnels; null: all. */
export interface ShareReader {
  accountId: number | null;
  funnelIds: readonly number[] | null;
}

export type SharedInterview = Awaited<ReturnType<typeof lockSharedInterviews>>[number];

/**
 * Locks interviews of these funnels against deletion until the transaction ends, in id order to
 * avoid deadlocks. Omits interviews that do not exist.
 */
export const lockSharedInterviews = (tx: Executor, ids: readonly string[], funnelIds: readonly number[] | null) =>
  tx
    .selectFrom('interview')
    .innerJoin('funnel', 'funnel.id', 'interview.funnel_id')
    .select(['interview.id', 'title', 'candidate_name as name', 'candidate_email as email'])
    .select(['client_name as clientName', 'funnel_id as funnelId'])
    .where('interview.id', '=', anyOf(ids))
    .$if(funnelIds !== null, (query) => query.where('funnel_id', '=', anyIdOf(funnelIds ?? [])))
    .orderBy('interview.id')
    .forKeyShare('interview')
    .execute();

export const insertBatch = (tx: Executor, batch: Insertable<DB['share_batch']>): Promise<{ id: number }> =>
  tx.insertInto('share_batch').values(batch).returning('id').executeTakeFirstOrThrow();

export const insertShare = (tx: Executor, share: Insertable<DB['share']>): Promise<{ id: number }> =>
  tx.insertInto('share').values(share).returning('id').executeTakeFirstOrThrow();

/** Adds the interviews to each of the shares, in this order. */
export async function insertItems(
  tx: Executor,
  shareIds: readonly number[],
  interviewIds: readonly string[],
): Promise<void> {
  await sql`
    INSERT INTO share_item (share_id, n, interview_id)
    SELECT share.id, item.n, item.id
    FROM unnest(${shareIds}::int[]) AS share (id), unnest(${interviewIds}::text[]) WITH ORDINALITY AS item (id, n)
  `.execute(tx);
}

export interface ShareRow {
  id: number;
  batchId: number;
  title: string;
  recipientName: string;
  recipientEmail: string | null;
  createdAt: Date;
  createdBy: number | null;
  createdByName: string;
  openedAt: Date | null;
  expiresAt: Date;
  revokedAt: Date | null;
  closedAt: Date | null;
  hasPasscode: boolean;
  state: ShareState;
  /** With dates as in JSON of the database. */
  interviews: Share['interviews'];
  funnelIds: number[];
}

export interface ShareFilter {
  id?: number;
  interviewId?: string | undefined;
  state?: ShareState | undefined;
}

const MAX_LISTED = 1_000;

/** The comments on a `share_item AS item`. */
export const COMMENTS = sql`coalesce((
  SELECT jsonb_agg(jsonb_build_object('atSeconds', c.at_seconds, 'body', c.body, 'createdAt', c.created_at)
    ORDER BY c.at_seconds, c.id)
  FROM share_comment AS c WHERE c.share_id = item.share_id AND c.n = item.n), '[]')`;

/** The watched part of a recording, from 0 to 1; 0 for an unknown duration. */
const WATCHED = sql`least(1, coalesce((
  SELECT sum(upper(part) - lower(part))::float8 FROM unnest(item.watched) AS part
) / nullif(i.duration_seconds, 0), 0))`;

/**
 * Callers see a share if they see all of its interviews. If all of them were deleted, the sender
 * and accounts with all funnels see it.
 */
const isVisibleTo = ({ accountId, funnelIds }: ShareReader): RawBuilder<boolean> =>
  sql`(${funnelIds}::int[] IS NULL OR NOT EXISTS (
      SELECT FROM share_item AS item JOIN interview AS i ON i.id = item.interview_id
      WHERE item.share_id = share.id AND i.funnel_id <> ALL(${funnelIds}::int[])
    ) AND (b.created_by = ${accountId}::int OR EXISTS (SELECT FROM share_item AS item WHERE item.share_id = share.id)))`;

/**
 * Shares awaiting a response come first, ordered by expiry. An opened share that takes no verdicts
 * awaits none.
 */
export async function listShares(db: Executor, reader: ShareReader, filter: ShareFilter): Promise<ShareRow[]> {
  const { id = null, interviewId = null, state = null } = filter;
  const { rows } = await sql<ShareRow>`
    SELECT * FROM (
      SELECT share.id, share.batch_id AS "batchId", b.title, share.recipient_name AS "recipientName",
        share.recipient_email AS "recipientEmail", b.created_at AS "createdAt", b.created_by AS "createdBy",
        b.created_by_name AS "createdByName", share.opened_at AS "openedAt", share.expires_at AS "expiresAt",
        share.revoked_at AS "revokedAt", share.closed_at AS "closedAt", b.passcode_hash IS NOT NULL AS "hasPasscode",
        b.may_decide AS "mayDecide",
        coalesce(items.interviews, '[]') AS interviews, coalesce(items.funnels, '{}') AS "funnelIds",
        CASE
          WHEN share.revoked_at IS NOT NULL OR items.total = 0 THEN 'revoked'
          WHEN share.expires_at <= now() THEN 'expired'
          WHEN share.closed_at IS NOT NULL THEN 'closed'
          WHEN items.decided = items.total THEN 'decided'
          WHEN share.opened_at IS NOT NULL THEN 'opened'
          ELSE 'waiting'
        END AS state
      FROM share JOIN share_batch AS b ON b.id = share.batch_id
      CROSS JOIN LATERAL (
        SELECT count(*) AS total, count(item.decided_at) AS decided,
          array_agg(DISTINCT i.funnel_id) AS funnels, jsonb_agg(jsonb_build_object(
          'interviewId', i.id, 'title', i.title, 'candidateName', i.candidate_name, 'watched', ${WATCHED},
          'verdict', item.verdict, 'verdictNote', item.verdict_note, 'decidedAt', item.decided_at,
          'comments', ${COMMENTS}) ORDER BY item.n) AS interviews
        FROM share_item AS item JOIN interview AS i ON i.id = item.interview_id WHERE item.share_id = share.id
      ) AS items
      WHERE (${id}::int IS NULL OR share.id = ${id}::int) AND ${isVisibleTo(reader)}
        AND (${interviewId}::text IS NULL OR share.id IN (
          SELECT share_id FROM share_item WHERE interview_id = ${interviewId}::text))
    ) AS found
    WHERE ${state}::text IS NULL OR state = ${state}::text
    ORDER BY array_position(ARRAY['waiting', 'closed', 'opened', 'decided', 'expired', 'revoked'],
        CASE WHEN state = 'opened' AND "mayDecide" THEN 'waiting' ELSE state END),
      CASE WHEN state IN ('opened', 'waiting') THEN "expiresAt" END, id DESC
    LIMIT ${MAX_LISTED}
  `.execute(db);
  return rows;
}

/** Counts the links that a recipient can open, except those that staff have closed. */
export async function countWorking(db: Executor): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM share WHERE revoked_at IS NULL AND closed_at IS NULL AND expires_at > now()
      AND EXISTS (SELECT FROM share_item WHERE share_id = share.id)
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export const lockShare = (tx: Executor, id: number) =>
  tx.selectFrom('share').select('id').where('id', '=', id).forUpdate().execute();

export type ShareChanges = Updateable<DB['share']>;

export async function updateShare(tx: Executor, id: number, changes: ShareChanges): Promise<void> {
  await tx.updateTable('share').set(changes).where('id', '=', id).execute();
}
