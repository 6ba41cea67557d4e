import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '#support/start-app.ts';
import { PREPARED } from './prepared.ts';

test('a prepared statement is planned once, and still works after a migration changed its table', async () => {
  const { db } = await startApp({ jobs: false });
  await db.connection().execute(async (one) => {
    await sql`CREATE TABLE probe AS SELECT 1 AS a`.execute(one);
    const read = async () => (await sql`${PREPARED} SELECT * FROM probe WHERE a = ${1}`.execute(one)).rows;
    for (const rows of [[{ a: 1 }], [{ a: 1 }]]) expect(await read()).toEqual(rows);
    const { rows: kept } = await sql`SELECT 1 FROM pg_prepared_statements WHERE statement LIKE '%FROM probe%'`.execute(
      one,
    );
    expect(kept).toHaveLength(1);
    await sql`ALTER TABLE probe ADD COLUMN b int`.execute(one);
    for (const rows of [[{ a: 1, b: null }], [{ a: 1, b: null }]]) expect(await read()).toEqual(rows);
  });
});
