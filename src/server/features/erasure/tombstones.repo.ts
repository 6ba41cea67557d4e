import { sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';

export async function findSealedKey(db: Executor): Promise<Buffer | undefined> {
  return (await db.selectFrom('erasure_key').select('key_sealed').executeTakeFirst())?.key_sealed;
}

export const insertSealedKey = (tx: Executor, sealed: Buffer) =>
  tx.insertInto('erasure_key').values({ key_sealed: sealed }).execute();

export const updateSealedKey = (tx: Executor, sealed: Buffer) =>
  tx.updateTable('erasure_key').set({ key_sealed: sealed }).execute();

/**
 * Returns the stored marks among these, or all, in hexadecimal, with the time of their last
 * erasure.
 */
export async function listMarks(db: Executor, marks?: readonly Buffer[]): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('erasure_mark')
    .selectAll()
    .$if(marks !== undefined, (query) => query.where('mark', '=', sql<Buffer>`ANY(${marks}::bytea[])`))
    .execute();
  return new Map(rows.map(({ mark, erased_at }) => [mark.toString('hex'), erased_at]));
}

/** Inserts marks with their times. Returns the number of those that were missing or older. */
export async function insertEarlierMarks(tx: Executor, marks: Readonly<Record<string, string>>): Promise<number> {
  const { numAffectedRows } = await sql`
    INSERT INTO erasure_mark (mark, erased_at)
    SELECT decode(hex, 'hex'), moment FROM unnest(${Object.keys(marks)}::text[], ${Object.values(marks)}::timestamptz[]) AS t (hex, moment)
    ON CONFLICT (mark) DO UPDATE SET erased_at = excluded.erased_at
      WHERE date_trunc('milliseconds', erasure_mark.erased_at) < excluded.erased_at
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function insertMarks(tx: Executor, marks: readonly Buffer[]): Promise<void> {
  await sql`
    INSERT INTO erasure_mark (mark) SELECT DISTINCT unnest(${marks}::bytea[])
    ON CONFLICT (mark) DO UPDATE SET erased_at = excluded.erased_at
  `.execute(tx);
}
