import { sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';

/**
 * An interview that is announced again gets a larger number, because a run that has already read it
 * may have missed the change.
 */
export async function upsertAnnounced(tx: Executor, funnelId: number, interviewIds: readonly string[]): Promise<void> {
  await sql`
    INSERT INTO announced_interview (funnel_id, interview_id)
    SELECT DISTINCT ${funnelId}::int, id FROM unnest(${interviewIds}::text[]) AS id
    ON CONFLICT (funnel_id, interview_id) DO UPDATE SET number = DEFAULT
  `.execute(tx);
}

/** Returns the number of announced interviews of the funnel, and the largest of their numbers. */
export async function countAnnounced(tx: Executor, funnelId: number): Promise<{ count: number; upTo: number | null }> {
  const { rows } = await sql<{ count: number; upTo: number | null }>`
    SELECT count(*)::int AS count, max(number) AS "upTo" FROM announced_interview WHERE funnel_id = ${funnelId}
  `.execute(tx);
  return rows[0] ?? { count: 0, upTo: null };
}

export async function listAnnounced(db: Executor, funnelId: number, upTo: number): Promise<string[]> {
  const rows = await db
    .selectFrom('announced_interview')
    .select('interview_id')
    .where('funnel_id', '=', funnelId)
    .where('number', '<=', upTo)
    .orderBy('number')
    .execute();
  return rows.map((row) => row.interview_id);
}

/** Default of `upTo`: all. */
export async function deleteAnnounced(tx: Executor, funnelId: number, upTo = Number.MAX_SAFE_INTEGER): Promise<void> {
  await tx.deleteFrom('announced_interview').where('funnel_id', '=', funnelId).where('number', '<=', upTo).execute();
}

/** The ids of the funnels with announced interviews. */
export async function listAnnouncedFunnels(db: Executor): Promise<number[]> {
  const rows = await db.selectFrom('announced_interview').select('funnel_id').distinct().orderBy('funnel_id').execute();
  return rows.map((row) => row.funnel_id);
}
