import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listInterviews } from '#contracts/interviews.ts';
import { setUpDatabase } from '#server/set-up-database.ts';
import { emptyFolder } from '#support/backups.ts';
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

test('a database of a newer version is rejected with its migration and left unchanged', async () => {
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
  const ownerOnly = await createEmptyDatabase();
  onTestFinished(ownerOnly.drop);
  await migrate(ownerOnly.url, { upTo: '0016_log_functions.sql' });
  await expect(off(ownerOnly)).rejects.toThrow(/serves requests has no rights in it yet\. Run npm run migrate/);
  await expect(off(await withRow("INSERT INTO migration (name) VALUES ('9999_x.sql')"))).rejects.toThrow(/newer than/);
  const product = await off(await withRow('SELECT 1'));
  expect((await product.anonymous().request({ method: 'GET', url: '/readyz' })).statusCode).toBe(200);
});

test('two processes set up an empty database at the same time', async () => {
  const database = await createEmptyDatabase();
  const pools = [database.applicationUrl, database.applicationUrl].map(
    (connectionString) => new pg.Pool({ connectionString, max: 1 }),
  );
  // The database is dropped while connections may still be closing.
  for (const pool of pools) pool.on('error', () => {});
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

test('a long migration reports its name, its time, and the table it works on or the lock it waits for', async () => {
  const folder = pathToFileURL(`${await emptyFolder()}/`);
  await writeFile(new URL('0001_big.sql', folder), 'CREATE TABLE big AS SELECT n FROM generate_series(1, 1200) AS n;');
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(() => other.end());
  await migrate(database.url, { folder });
  await other.query('ANALYZE big');

  await writeFile(new URL('0002_slow.sql', folder), 'UPDATE big SET n = n + 1; SELECT pg_sleep(1);');
  await writeFile(new URL('0003_alter.sql', folder), 'ALTER TABLE big ADD COLUMN x int;');
  const lines: string[] = [];
  const progress = { connectionString: database.url, report: (line: string) => lines.push(line), intervalMs: 100 };
  await migrate(database.url, { folder, upTo: '0002_slow.sql', progress });
  expect(lines).toContainEqual(
    expect.stringMatching(/^Migration 0002_slow\.sql: \d+ s, works on big \(about 1,200 rows\)$/),
  );
  expect(lines.at(-1)).toMatch(/^Migration 0002_slow\.sql ended after \d+ s\.$/);

  await other.query('BEGIN; LOCK TABLE big IN ACCESS SHARE MODE');
  const migrating = migrate(database.url, { folder, progress });
  await until('the wait is reported', async () =>
    lines.some((line) => /^Migration 0003_alter\.sql: \d+ s, waits for a table in use$/.test(line)),
  );
  await other.query('COMMIT');
  expect(await migrating).toEqual(['0003_alter.sql']);
});

describe('a migration that builds an index outside a transaction', () => {
  const CREATE_INDEX = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS big_n ON big (n)';

  /** A folder of migrations, and a database with the first one. */
  async function withBigTable(second = `-- Outside a transaction\n-- Works since 0001_big.sql\n${CREATE_INDEX};\n`) {
    const folder = pathToFileURL(`${await emptyFolder()}/`);
    await writeFile(new URL('0001_big.sql', folder), 'CREATE TABLE big (n int NOT NULL);');
    await writeFile(new URL('0002_index.sql', folder), second);
    const database = await createEmptyDatabase();
    const [writer, other] = [1, 2].map(() => new pg.Client({ connectionString: database.url }));
    if (!writer || !other) throw new Error('Two connections are needed');
    onTestFinished(async () => {
      await Promise.all([writer.end(), other.end()]);
      await database.drop();
    });
    await Promise.all([writer.connect(), other.connect()]);
    await migrate(database.url, { folder, upTo: '0001_big.sql' });
    return { writer, other, run: () => migrate(database.url, { folder }) };
  }

  const findIndex = async (client: pg.Client) =>
    (await client.query("SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('big_n')")).rows;

  test('an index is built while rows are written, and again after an interruption', async () => {
    const { writer, other, run } = await withBigTable();
    await writer.query('BEGIN; INSERT INTO big VALUES (1)');
    const interrupted = run().catch((error: Error) => error.message);
    await until('the build waits for the open transaction', async () => (await findIndex(other)).length > 0);
    await other.query('INSERT INTO big VALUES (2)');
    await other.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONC%'",
    );
    expect(await interrupted).toMatch(/^Migration 0002_index\.sql failed: /);
    expect(await findIndex(other)).toEqual([{ valid: false }]);

    await writer.query('COMMIT');
    expect(await run()).toEqual(['0002_index.sql']);
    expect(await findIndex(other)).toEqual([{ valid: true }]);
    const { rows } = await other.query("SELECT works_since FROM migration WHERE name = '0002_index.sql'");
    expect(rows).toEqual([{ works_since: '0001_big.sql' }]);
  });

  test('an index is built once when two processes migrate at the same time', async () => {
    const { writer, other, run } = await withBigTable();
    await writer.query('BEGIN; INSERT INTO big VALUES (1)');
    const both = Promise.all([run(), run()]);
    await until('one process builds', async () => (await findIndex(other)).length > 0);
    await writer.query('COMMIT');
    expect((await both).flat()).toEqual(['0002_index.sql']);
    expect(await findIndex(other)).toEqual([{ valid: true }]);
  });

  test('a migration outside a transaction is rejected if it has statements other than CREATE INDEX', async () => {
    const { run } = await withBigTable(`-- Outside a transaction\n${CREATE_INDEX}; DELETE FROM big;`);
    await expect(run()).rejects.toThrow(/each statement must begin with .*: DELETE FROM big/);
  });
});
