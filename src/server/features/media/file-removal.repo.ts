import { sql } from 'kysely';
import { FILE_REMOVAL_LOCK } from '../../db/advisory-locks.ts';
import type { Executor } from '../../db/database.ts';

/** Until the transaction ends no page of a refresh is written: no interview comes to want a file that is about to go. */
export async function holdImports(tx: Executor): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${FILE_REMOVAL_LOCK})`.execute(tx);
}
