import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

/** Returns the number of database sessions that wait for a lock. */
export async function waitingSessions(db: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}
