import { sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';

/**
 * Returns false when the interview does not exist. Watching again keeps the first moment. The lock
 * delays a concurrent deletion of the interview, which would make the insert violate the foreign
 * key.
 */
export async function insertWatched(db: Executor, accountId: number | null, interviewId: string): Promise<boolean> {
  const { rows } = await sql`
    WITH found AS (SELECT id FROM interview WHERE id = ${interviewId} FOR KEY SHARE),
    inserted AS (
      INSERT INTO watched (account_id, interview_id) SELECT account.id, found.id
      FROM found, (SELECT ${accountId}::int AS id) AS account WHERE account.id IS NOT NULL
      ON CONFLICT DO NOTHING
    )
    SELECT id FROM found
  `.execute(db);
  return rows.length > 0;
}

/** Returns false when the interview does not exist. */
export async function deleteWatched(db: Executor, accountId: number | null, interviewId: string): Promise<boolean> {
  const { rows } = await sql`
    WITH deleted AS (
      DELETE FROM watched WHERE account_id = ${accountId}::int AND interview_id = ${interviewId}
    )
    SELECT id FROM interview WHERE id = ${interviewId}
  `.execute(db);
  return rows.length > 0;
}
