import { sql } from 'kysely';
import { anyOf, type Executor } from '#server/db/database.ts';
import { COMMENTS } from './shares.repo.ts';

/** A recipient's actions on an interview. Dates are strings. */
export interface SharedWith {
  interviewId: string;
  title: string;
  sharedAt: string;
  sender: string;
  recipient: string;
  email: string | null;
  openedAt: string | null;
  expiresAt: string;
  revokedAt: string | null;
  watchedSeconds: number;
  verdict: string | null;
  verdictNote: string | null;
  decidedAt: string | null;
  comments: { atSeconds: number; body: string; createdAt: string }[];
}

export async function listSharedWith(db: Executor, interviewIds: readonly string[]): Promise<SharedWith[]> {
  const { rows } = await sql<{ shared: SharedWith }>`
    SELECT jsonb_build_object('interviewId', item.interview_id, 'title', b.title, 'sharedAt', b.created_at,
      'sender', b.created_by_name, 'recipient', share.recipient_name, 'email', share.recipient_email,
      'openedAt', share.opened_at, 'expiresAt', share.expires_at, 'revokedAt', share.revoked_at,
      'watchedSeconds', coalesce((SELECT sum(upper(part) - lower(part)) FROM unnest(item.watched) AS part), 0),
      'verdict', item.verdict, 'verdictNote', item.verdict_note, 'decidedAt', item.decided_at,
      'comments', ${COMMENTS}) AS shared
    FROM share_item AS item JOIN share ON share.id = item.share_id JOIN share_batch AS b ON b.id = share.batch_id
    WHERE item.interview_id = ANY(${interviewIds}::text[]) ORDER BY share.id, item.n
  `.execute(db);
  return rows.map(({ shared }) => shared);
}

/** A recipient who has watched an interview. `n` is the number of the candidate in the share. */
export type Viewer = Awaited<ReturnType<typeof listViewers>>[number];

export const listViewers = (tx: Executor, interviewIds: readonly string[]) =>
  tx
    .selectFrom('share_item')
    .innerJoin('share', 'share.id', 'share_item.share_id')
    .innerJoin('share_batch', 'share_batch.id', 'share.batch_id')
    .select(['recipient_name as name', 'recipient_email as email', 'n', 'title as shareTitle'])
    .select(['created_at as sharedAt', 'created_by_name as sender'])
    .where('first_watched_at', 'is not', null)
    .where('interview_id', '=', anyOf(interviewIds))
    .orderBy('share.id')
    .orderBy('n')
    .execute();

/** Revokes links that contain only these interviews. Returns the newly revoked ones. */
export async function revokeSharesOfOnly(tx: Executor, interviewIds: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    UPDATE share SET revoked_at = now() WHERE revoked_at IS NULL AND id IN (
      SELECT share_id FROM share_item WHERE share_id IN (
        SELECT share_id FROM share_item WHERE interview_id = ANY(${interviewIds}::text[])
      ) GROUP BY share_id HAVING bool_and(interview_id = ANY(${interviewIds}::text[]))
    ) RETURNING id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export const listBatchTexts = (tx: Executor) =>
  tx.selectFrom('share_batch').select(['id', 'title', 'message']).orderBy('id').execute();

export async function updateBatchTexts(
  tx: Executor,
  id: number,
  texts: { title: string; message: string | null },
): Promise<void> {
  await tx.updateTable('share_batch').set(texts).where('id', '=', id).execute();
}

/** A link that was never opened. */
export interface UnopenedShare {
  id: number;
  title: string;
  recipient: string;
  senderId: number | null;
  expiresAt: Date;
}

/** Marks the links that expire within two days, were never opened and are not marked yet. */
export async function markExpiring(tx: Executor): Promise<UnopenedShare[]> {
  const { rows } = await sql<UnopenedShare>`
    UPDATE share SET expiry_noted_at = now() FROM share_batch AS b
    WHERE b.id = share.batch_id AND share.opened_at IS NULL AND share.expiry_noted_at IS NULL AND share.revoked_at IS NULL
      AND share.expires_at BETWEEN now() AND now() + interval '2 days'
      AND EXISTS (SELECT FROM share_item WHERE share_id = share.id)
    RETURNING share.id, b.title, share.recipient_name AS recipient, b.created_by AS "senderId", share.expires_at AS "expiresAt"
  `.execute(tx);
  return rows;
}

/** Deletes links that expired more than `days` days ago, and shares without other links. */
export async function deleteOldShares(db: Executor, days: number): Promise<void> {
  await sql`
    WITH old AS (DELETE FROM share WHERE expires_at < now() - make_interval(days => ${days}) RETURNING id, batch_id)
    DELETE FROM share_batch AS b WHERE b.id IN (SELECT batch_id FROM old)
      AND NOT EXISTS (SELECT FROM share WHERE batch_id = b.id AND id NOT IN (SELECT id FROM old))
  `.execute(db);
}
