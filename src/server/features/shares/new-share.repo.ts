import { sql } from 'kysely';
import type { SharedParts } from '#contracts/shares.ts';
import type { Executor } from '#server/db/database.ts';
import { contentOf, type GuestItemRow, SHOWN } from './guests.repo.ts';

/** The items that a share of these interviews would have. Omits hidden interviews. */
export async function listPreviewItems(
  db: Executor,
  { interviewIds, shows }: { interviewIds: readonly string[]; shows: SharedParts },
  funnelIds: readonly number[] | null,
): Promise<GuestItemRow[]> {
  const { rows } = await sql<GuestItemRow>`
    SELECT item.n::int AS n, ${contentOf(shows)}, NULL AS verdict, NULL AS "verdictNote", '[]'::jsonb AS comments
    FROM unnest(${interviewIds}::text[]) WITH ORDINALITY AS item (id, n) JOIN interview AS i ON i.id = item.id
    LEFT JOIN interview_text AS t ON t.interview_id = i.id
    WHERE ${funnelIds}::int[] IS NULL OR i.funnel_id = ANY(${funnelIds}::int[])
    ORDER BY item.n
  `.execute(db);
  return rows;
}

export interface ShareDefaults {
  recipients: { name: string; email: string | null }[];
  message: string | null;
  shows: SharedParts;
  mayComment: boolean;
  mayDecide: boolean;
  days: number;
}

/** The last share of an account for the client of an interview that it sees. */
export async function findLastShare(
  db: Executor,
  { interviewId, accountId }: { interviewId: string; accountId: number | null },
  funnelIds: readonly number[] | null,
): Promise<ShareDefaults | undefined> {
  const { rows } = await sql<ShareDefaults>`
    SELECT b.message, b.may_comment AS "mayComment", b.may_decide AS "mayDecide",
      ${SHOWN} AS shows,
      (SELECT jsonb_agg(jsonb_build_object('name', recipient_name, 'email', recipient_email) ORDER BY id)
        FROM share WHERE batch_id = b.id) AS recipients,
      (SELECT greatest(1, round(extract(epoch FROM max(expires_at) - b.created_at) / 86400))::int
        FROM share WHERE batch_id = b.id) AS days
    FROM interview AS i JOIN funnel AS f ON f.id = i.funnel_id
    JOIN share_batch AS b ON b.client_name IS NOT DISTINCT FROM f.client_name
    WHERE i.id = ${interviewId} AND b.created_by = ${accountId}::int
      AND (${funnelIds}::int[] IS NULL OR f.id = ANY(${funnelIds}::int[]))
      AND EXISTS (SELECT FROM share WHERE batch_id = b.id)
    ORDER BY b.id DESC LIMIT 1
  `.execute(db);
  return rows[0];
}
