import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#support/test-database.ts';
import { connect } from './database.ts';
import { isDatabaseDown } from './database-down.ts';

test('a connection that breaks within a transaction fails the transaction, not the process', async () => {
  const database = await createTestDatabase();
  const connection = connect(database.url, 2, () => {});
  onTestFinished(async () => {
    await connection.close();
    await database.drop();
  });
  const { db } = connection;
  const broken = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx);
    await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(db);
    // The connection is closed while no query runs on it.
    await sql`SELECT pg_sleep(0.05)`.execute(db);
    await sql`SELECT 1`.execute(tx);
  });
  expect(isDatabaseDown(await broken.catch((error: unknown) => error))).toBe(true);
  expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
});
