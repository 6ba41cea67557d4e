import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { connect } from '#server/db/database.ts';
import { migrate, migrationFiles } from '#server/db/migrate.ts';
import { RELEASE } from '#server/release.ts';
import { emptyFolder } from '#support/backups.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { MAIN } from '#support/start-process.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#support/test-database.ts';

/** The summaries of the entries about releases, newest first, with what changed. */
async function releaseEntries(product: TestApp) {
  const { logs } = await (await product.signedIn()).call(listLogs, { query: { type: 'system', limit: 100 } });
  return logs
    .filter(({ action }) => action === 'upgrade')
    .map(({ summary, status, metadata }) => ({ summary, status, metadata }));
}

/** A database that a process of `release` used before. */
async function databaseOfRelease(release: string): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  await inDatabase(database, async (db) => {
    await sql`INSERT INTO installed_release (release, migrations) SELECT ${release}, array_agg(name) FROM migration`.execute(
      db,
    );
  });
  return database;
}

/** `npm run migrate` without the launcher. */
async function migrateAsCommand({ url, applicationUrl }: TestDatabase): Promise<void> {
  const urls = { DATABASE_URL: applicationUrl, DATABASE_OWNER_URL: url };
  const env = { PATH: process.env.PATH, DATA_DIR: await emptyFolder(), MIGRATE: 'only', ...urls };
  await promisify(execFile)(process.execPath, [MAIN], { env });
}

async function inDatabase(database: TestDatabase, work: (db: TestApp['db']) => Promise<void>): Promise<void> {
  const { db, close } = connect(database.url, 1, () => {});
  await work(db).finally(close);
}

describe('the release that uses a database', () => {
  test('the first start of a new database is not an upgrade, and its entry names the release', async () => {
    const product = await startApp();
    expect(await releaseEntries(product)).toEqual([]);
    const { logs } = await (await product.signedIn()).call(listLogs, { query: { type: 'system' } });
    expect(logs.find(({ action }) => action === 'start')).toMatchObject({
      summary: `The server was started (release ${RELEASE}).`,
      metadata: { release: RELEASE },
    });
  });

  test('a new release without migrations is logged once when many processes start at the same time', async () => {
    const database = await databaseOfRelease('2025.12.3');
    const start = () => startApp({ database, isAlone: false });
    const [product] = (await Promise.all([start(), start(), start()])) as [TestApp, TestApp, TestApp];
    await start();
    expect(await releaseEntries(product)).toEqual([
      {
        summary: `The product was upgraded from release 2025.12.3 to ${RELEASE}, without migrations.`,
        status: 'success',
        metadata: { from: '2025.12.3', to: RELEASE, migrations: [] },
      },
    ]);
  });

  test('the return to a former release is logged as a warning', async () => {
    const product = await startApp({ database: await databaseOfRelease('2999.1.10') });
    expect(await releaseEntries(product)).toMatchObject([
      { summary: `The product went back from release 2999.1.10 to ${RELEASE}, without migrations.`, status: 'warning' },
    ]);
  });

  test.each(['auto', 'off'])('an upgrade is logged with its migrations, with MIGRATE=%s', async (mode) => {
    const database = await createEmptyDatabase();
    onTestFinished(database.drop);
    const former = '0021_sources.sql';
    await migrate(database.url, { upTo: former });
    await inDatabase(database, async (db) => {
      await sql`INSERT INTO account (username, password_hash) VALUES ('ann', 'x')`.execute(db);
      await sql`
        INSERT INTO log_entry (type, action, status, summary)
        VALUES ('system', 'start', 'info', 'The server was started.')`.execute(db);
    });
    if (mode === 'off') await migrateAsCommand(database);
    const product = await startApp({ database, env: { MIGRATE: mode } });
    const migrations = (await migrationFiles()).filter((name) => name > former);
    const rows = await sql<{ metadata: object }>`
      SELECT metadata FROM log_entry WHERE action = 'upgrade'`.execute(product.db);
    expect(rows.rows).toEqual([{ metadata: { from: '2.0.0', to: RELEASE, migrations } }]);
  });
});
