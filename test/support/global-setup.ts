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
    /** A server on which tests make their databases; the address names its maintenance database. */
    postgresUrl: string;
    /** The migrated, empty database that tests clone. */
    templateDatabase: string;
  }
}

/** One PostgreSQL for all tests (DATABASE_URL when given), and one migrated database in it to clone. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'interviews-test-'));
  const embedded = process.env.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir, log: { info: () => {} } });
  const postgresUrl = process.env.DATABASE_URL ?? embedded?.connectionString ?? '';
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
  // The queue makes its own tables at its first start: once here, so that no test pays for it.
  const log = pino({ level: 'silent' });
  const connection = connect(url.href, 2, () => {});
  const queue = openQueue(connection, log);
  await queue.opened;
  await queue.stop(0);
  await connection.close();
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}
