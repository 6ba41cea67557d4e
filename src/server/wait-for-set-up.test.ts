import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';
import { migrate } from './db/migrate.ts';
import { setUpDatabase } from './set-up-database.ts';
import { waitForSetUp } from './wait-for-set-up.ts';

/** Starts to wait with the application's account. Returns the end and the printed lines. */
function startWaiting({ applicationUrl }: TestDatabase, timeoutMs?: number) {
  const lines: string[] = [];
  const waiting = waitForSetUp(applicationUrl, { print: (line) => void lines.push(line), timeoutMs });
  // Awaited later.
  waiting.catch(() => {});
  return { waiting, lines };
}

async function query({ url }: TestDatabase, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  return database;
}

test('MIGRATE=wait waits for the migrations and for access, and prints what is missing each time', async () => {
  const database = await emptyDatabase();
  const { waiting, lines } = startWaiting(database);
  await until('it waits', async () => lines.length > 0);
  await migrate(database.url);
  await until('it waits for access', async () => lines.length > 1);
  const application = new pg.Pool({ connectionString: database.applicationUrl, max: 1 });
  await setUpDatabase(database.url, application).finally(() => application.end());
  await waiting;
  expect(lines).toEqual([
    'Waiting until the database is upgraded: it has no tables yet.',
    'Waiting until the database is upgraded: the account of DATABASE_URL has no access yet.',
    'The database is up to date.',
  ]);
  const again = startWaiting(database);
  await again.waiting;
  expect(again.lines).toEqual(['The database is up to date.']);
});

test('MIGRATE=wait waits for a new migration, for the tables of the queue and for access to new tables', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  await query(database, "UPDATE migration SET name = '0000_x.sql' WHERE name = '0019_bulk_runs.sql'");
  const migration = startWaiting(database, 0);
  await expect(migration.waiting).rejects.toThrow(/^The database was not .*: it lacks 0019_bulk_runs\.sql\. Look at/);
  await query(database, "UPDATE migration SET name = '0019_bulk_runs.sql' WHERE name = '0000_x.sql'");
  await query(database, 'UPDATE pgboss.version SET version = version - 1; CREATE TABLE added ()');
  const { waiting, lines } = startWaiting(database);
  await until('it waits for the queue', async () => lines.length > 0);
  await query(database, 'UPDATE pgboss.version SET version = version + 1');
  await until('it waits for access', async () => lines.length > 1);
  await query(database, 'GRANT SELECT ON added TO PUBLIC');
  await waiting;
  expect(lines.slice(0, 2).map((line) => line.slice(line.indexOf(': ') + 2))).toEqual([
    'the tables of its queue are from another release.',
    'the account of DATABASE_URL cannot read all tables yet.',
  ]);
});

test('MIGRATE=wait gives up after the timeout with what is missing, and at once if the database is too new', async () => {
  const database = await emptyDatabase();
  await expect(startWaiting(database, 0).waiting).rejects.toThrow(
    /^The database was not upgraded within 0 minutes: it has no tables yet\. Look at the output of npm run migrate .* run it again with this release\.$/,
  );
  const newer = await createTestDatabase();
  onTestFinished(newer.drop);
  await query(newer, "INSERT INTO migration (name) VALUES ('9999_from_the_future.sql')");
  await expect(startWaiting(newer).waiting).rejects.toThrow(
    'newer than this program (it has 9999_from_the_future.sql)',
  );
});

test('MIGRATE=wait waits while the database does not respond', async () => {
  const database = await emptyDatabase();
  const { waiting, lines } = startWaiting({ ...database, applicationUrl: 'postgres://ann@127.0.0.1:9/x' }, 500);
  await expect(waiting).rejects.toThrow(/: it does not respond\./);
  expect(lines).toEqual(['Waiting until the database is upgraded: it does not respond.']);
});
