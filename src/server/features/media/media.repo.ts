import { sql } from 'kysely';
import { FILE_REMOVAL_LOCK } from '#server/db/advisory-locks.ts';
import type { Executor } from '#server/db/database.ts';

/**
 * Until the transaction ends, no page of a refresh is written, so no interview can start using a
 * file that is about to be deleted.
 */
export async function lockFileRemoval(tx: Executor): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${FILE_REMOVAL_LOCK})`.execute(tx);
}
