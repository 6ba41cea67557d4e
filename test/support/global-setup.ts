import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { connect } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { openQueue } from '#server/jobs/queue.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A server on which tests create their databases. The address names its maintenance database.
     */
    postgresUrl: string;
    /** A migrated, empty database that tests clone. */
    templateDatabase: string;
  }
}

/**
 * Provides one PostgreSQL server for all tests (DATABASE_URL if set), with a migrated database to
 * clone.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'interviews-test-'));
  const embedded = process.env.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir, log: { info: () => {} } });
  const postgresUrl = process.env.DATABASE_URL ?? embedded?.connectionString ?? '';
  if (embedded) await tradeDurabilityForSpeed(postgresUrl);
  const templateDatabase = `interviews_template_${process.pid}`;
  await makeTemplate(postgresUrl, templateDatabase);
  project.provide('postgresUrl', postgresUrl);
  project.provide('templateDatabase', templateDatabase);
  return async () => {
    await onServer(postgresUrl, `DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`);
    await embedded?.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function makeTemplate(postgresUrl: string, name: string): Promise<void> {
  await onServer(postgresUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await onServer(postgresUrl, `CREATE DATABASE ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  // The queue creates its tables at its first start. Do it once here, so that no test has to.
  const log = pino({ level: 'silent' });
  const connection = connect(url.href, 2, () => {});
  const queue = openQueue(connection, log);
  await queue.opened;
  await queue.stop(0);
  await connection.close();
}

/** The server is deleted after the tests, so its data need not survive a crash. */
async function tradeDurabilityForSpeed(postgresUrl: string): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await onServer(postgresUrl, `ALTER SYSTEM SET ${setting} = off`);
  await onServer(postgresUrl, 'SELECT pg_reload_conf()');
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}
