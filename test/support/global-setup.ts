import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { DATABASE } from '#server/db/embedded/access.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { setUpDatabase } from '#server/set-up-database.ts';
import { copyDataDir } from './copy-data-dir.ts';
import { databaseUrlIn } from './make-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A server on which tests create their databases, with the account that owns them. The URL
     * names its maintenance database.
     */
    postgresUrl: string;
    /** The URL of the same server for the account of the product. */
    applicationUrl: string;
    /** A migrated, empty database that tests clone. */
    templateDatabase: string;
    /**
     * A folder with an embedded database as the first start of the product leaves it, to copy with
     * `copyDataDir`. Null when DATABASE_URL is set.
     */
    preparedDataDir: string | null;
  }
}

/**
 * Provides one PostgreSQL server for all tests (DATABASE_URL if set), with a migrated database to
 * clone.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'interviews-test-'));
  const dataDir = join(folder, 'data');
  const preparedDataDir = join(folder, 'prepared');
  const templateDatabase = `interviews_template_${process.pid}`;
  const { DATABASE_URL } = process.env;
  if (!DATABASE_URL) {
    await prepareDataDir(preparedDataDir);
    await copyDataDir(preparedDataDir, dataDir);
  }
  const embedded = DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir, log: SILENT });
  const postgresUrl = DATABASE_URL ?? embedded?.ownerUrl ?? '';
  const applicationUrl = embedded?.applicationUrl ?? (await createApplicationRole(postgresUrl));
  if (embedded) await tradeDurabilityForSpeed(postgresUrl);
  await onServer(postgresUrl, `DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`);
  await onServer(postgresUrl, `CREATE DATABASE ${templateDatabase} ${embedded ? `TEMPLATE ${DATABASE}` : ''}`);
  if (!embedded)
    await migrateAs(databaseUrlIn(postgresUrl, templateDatabase), databaseUrlIn(applicationUrl, templateDatabase));
  project.provide('postgresUrl', postgresUrl);
  project.provide('applicationUrl', applicationUrl);
  project.provide('templateDatabase', templateDatabase);
  project.provide('preparedDataDir', embedded ? preparedDataDir : null);
  return async () => {
    await onServer(postgresUrl, `DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`);
    if (!embedded) await onServer(postgresUrl, `DROP ROLE ${new URL(applicationUrl).username}`);
    await embedded?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

const SILENT = { info: () => {} };

async function prepareDataDir(dataDir: string): Promise<void> {
  const { ownerUrl, applicationUrl, stop } = await startEmbeddedPostgres({ dataDir, log: SILENT });
  await migrateAs(ownerUrl, applicationUrl);
  await stop();
}

async function migrateAs(ownerUrl: string, applicationUrl: string): Promise<void> {
  const application = new pg.Pool({ connectionString: applicationUrl, max: 1 });
  // The server may stop before it has noticed that the connection was closed.
  application.on('error', () => {});
  await setUpDatabase(ownerUrl, application);
  await application.end();
}

/** An external server has no account for the product yet. */
async function createApplicationRole(postgresUrl: string): Promise<string> {
  const url = new URL(postgresUrl);
  url.username = `interviews_test_${process.pid}`;
  url.password = 'interviews';
  await onServer(postgresUrl, `CREATE ROLE ${url.username} LOGIN PASSWORD '${url.password}'`);
  return url.href;
}

/** The server is deleted after the tests, so its data need not survive a crash or a long life. */
async function tradeDurabilityForSpeed(postgresUrl: string): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'])
    await onServer(postgresUrl, `ALTER SYSTEM SET ${setting} = off`);
  await onServer(postgresUrl, 'SELECT pg_reload_conf()');
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}
