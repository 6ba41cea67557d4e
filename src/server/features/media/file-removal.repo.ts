import { sql } from 'kysely';
import { FILE_REMOVAL_LOCK } from '../../db/advisory-locks.ts';
import type { Executor } from '../../db/database.ts';

/** Which of these interviews are there. Until the transaction ends, none is inserted. */
export async function interviewsThere(tx: Executor, ids: readonly string[]): Promise<Set<string>> {
  await sql`SELECT pg_advisory_xact_lock(${FILE_REMOVAL_LOCK})`.execute(tx);
  const rows = await tx
    .selectFrom('interview')
    .select('id')
    .where('id', '=', sql<string>`ANY(${ids}::text[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
