import { sql } from 'kysely';
import { ERASURE_LOCK } from '../../db/advisory-locks.ts';
import type { Executor } from '../../db/database.ts';

/** Until the transaction ends, nobody is erased. A statement of its own: what the next one reads is what the last erasure left. */
export const holdErasures = (tx: Executor) => sql`SELECT pg_advisory_xact_lock_shared(${ERASURE_LOCK})`.execute(tx);

/** Until the transaction ends, no page of a refresh is written; one that is being written is waited for. */
export const holdImports = (tx: Executor) => sql`SELECT pg_advisory_xact_lock(${ERASURE_LOCK})`.execute(tx);

export async function sealedKey(db: Executor): Promise<Buffer | undefined> {
  return (await db.selectFrom('erasure_key').select('key_sealed').executeTakeFirst())?.key_sealed;
}

export const storeSealedKey = (tx: Executor, sealed: Buffer) =>
  tx.insertInto('erasure_key').values({ key_sealed: sealed }).execute();

export const changeSealedKey = (tx: Executor, sealed: Buffer) =>
  tx.updateTable('erasure_key').set({ key_sealed: sealed }).execute();

/** Which of these marks there are, in hexadecimal, with the moment of the last erasure. */
export async function findMarks(db: Executor, marks: readonly Buffer[]): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('erasure_mark')
    .selectAll()
    .where('mark', '=', sql<Buffer>`ANY(${marks}::bytea[])`)
    .execute();
  return new Map(rows.map(({ mark, erased_at }) => [mark.toString('hex'), erased_at]));
}

export async function insertMarks(tx: Executor, marks: readonly Buffer[]): Promise<void> {
  await sql`
    INSERT INTO erasure_mark (mark) SELECT DISTINCT unnest(${marks}::bytea[])
    ON CONFLICT (mark) DO UPDATE SET erased_at = excluded.erased_at
  `.execute(tx);
}
