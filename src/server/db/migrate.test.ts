import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { listInterviews } from '#contracts/interviews.ts';
import { setUpDatabase } from '#server/set-up-database.ts';
import { startApp } from '#support/start-app.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';
import { migrate, migrationFiles } from './migrate.ts';

const ROOT = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

test('the table types match the migrated database (npm run db-types updates them)', async ({ onTestFinished }) => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const verifying = run(join(ROOT, 'node_modules/.bin/kysely-codegen'), ['--verify', '--url', database.url], {
    cwd: ROOT,
  });
  await expect(verifying).resolves.toBeDefined();
});

test('migrating a migrated database changes nothing, even from two processes at once', async ({ onTestFinished }) => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  expect(await Promise.all([migrate(database.url), migrate(database.url)])).toEqual([[], []]);
});

async function withRow(sql: string) {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(sql);
  await client.end();
  return database;
}

test('a database of a newer version is refused with its migration and left unchanged', async () => {
  const database = await withRow("INSERT INTO migration (name) VALUES ('9999_from_the_future.sql')");
  await expect(migrate(database.url)).rejects.toThrow('newer than this program (it has 9999_from_the_future.sql)');
});

test('a newer database is accepted when its migrations work since a release that this program includes', async () => {
  const insert = 'INSERT INTO migration (name, works_since) VALUES';
  const known = await withRow(`${insert} ('9998_expand.sql', '0019_bulk_runs.sql')`);
  expect(await migrate(known.url)).toEqual([]);
  const product = await startApp({ database: known });
  const ready = await product.anonymous().request({ method: 'GET', url: '/readyz' });
  expect(ready.json()).toMatchObject({ status: 'ok', checks: { migrations: 'ok' } });
  expect((await (await product.signedIn()).call(listInterviews, { query: {} })).interviews).toEqual([]);

  const newer = await withRow(
    `${insert} ('9998_expand.sql', '0019_bulk_runs.sql'), ('9999_contract.sql', '9998_expand.sql')`,
  );
  await expect(migrate(newer.url)).rejects.toThrow('newer than this program (it has 9999_contract.sql)');
});

test('a start with MIGRATE=off refuses an earlier database, an empty one and one that is too new', async () => {
  const off = (database: TestDatabase) => startApp({ database, env: { MIGRATE: 'off' } });
  const empty = await createEmptyDatabase();
  onTestFinished(empty.drop);
  await expect(off(empty)).rejects.toThrow(
    /earlier release \(it lacks 0001_accounts\.sql, .*Run npm run migrate, or set/,
  );
  const older = await withRow("DELETE FROM migration WHERE name = '0019_bulk_runs.sql'");
  await expect(off(older)).rejects.toThrow(/\(it lacks 0019_bulk_runs\.sql\)/);
  await expect(off(await withRow("INSERT INTO migration (name) VALUES ('9999_x.sql')"))).rejects.toThrow(/newer than/);
  const product = await off(await withRow('SELECT 1'));
  expect((await product.anonymous().request({ method: 'GET', url: '/readyz' })).statusCode).toBe(200);
});

test('two processes set up an empty database at the same time', async () => {
  const database = await createEmptyDatabase();
  const pools = [database.applicationUrl, database.applicationUrl].map(
    (connectionString) => new pg.Pool({ connectionString, max: 1 }),
  );
  onTestFinished(async () => {
    for (const pool of pools) await pool.end();
    await database.drop();
  });
  const applied = await Promise.all(pools.map((pool) => setUpDatabase(database.url, pool)));
  expect(applied.flat().sort()).toEqual(await migrationFiles());
});

test('a migration that waits for a table in use lets other queries through, and continues afterwards', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  await migrate(database.url, { upTo: '0006_processing.sql' });
  const [reader, other] = [
    new pg.Client({ connectionString: database.url }),
    new pg.Client({ connectionString: database.url }),
  ];
  await Promise.all([reader.connect(), other.connect()]);
  await reader.query('BEGIN');
  await reader.query('LOCK TABLE account, interview, log_entry IN ACCESS SHARE MODE');
  const migrating = migrate(database.url);
  await until('the migration waits', async () => {
    const { rows } = await other.query(
      'SELECT 1 FROM pg_locks JOIN pg_database ON oid = database WHERE NOT granted AND datname = current_database()',
    );
    return rows.length > 0;
  });
  // Behind the waiting migration, until it gives up for the moment.
  await other.query('SELECT count(*) FROM account, interview, log_entry');
  await reader.query('COMMIT');
  expect((await migrating).at(-1)).toBe((await migrationFiles()).at(-1));
  await Promise.all([reader.end(), other.end()]);
});
