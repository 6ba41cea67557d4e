import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { setUpDatabase } from '#server/set-up-database.ts';
import { addressIn } from './make-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A server on which tests create their databases, with the account that owns them. The address
     * names its maintenance database.
     */
    postgresUrl: string;
    /** The same server with the account of the product. */
    applicationUrl: string;
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
  const postgresUrl = process.env.DATABASE_URL ?? embedded?.ownerUrl ?? '';
  const applicationUrl = embedded?.applicationUrl ?? (await createApplicationRole(postgresUrl));
  if (embedded) await tradeDurabilityForSpeed(postgresUrl);
  const templateDatabase = `interviews_template_${process.pid}`;
  await makeTemplate(templateDatabase, { postgresUrl, applicationUrl });
  project.provide('postgresUrl', postgresUrl);
  project.provide('applicationUrl', applicationUrl);
  project.provide('templateDatabase', templateDatabase);
  return async () => {
    await onServer(postgresUrl, `DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`);
    if (!embedded) await onServer(postgresUrl, `DROP ROLE ${new URL(applicationUrl).username}`);
    await embedded?.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function makeTemplate(
  name: string,
  { postgresUrl, applicationUrl }: { postgresUrl: string; applicationUrl: string },
): Promise<void> {
  await onServer(postgresUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await onServer(postgresUrl, `CREATE DATABASE ${name}`);
  const application = new pg.Pool({ connectionString: addressIn(applicationUrl, name), max: 1 });
  await setUpDatabase(addressIn(postgresUrl, name), application);
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
