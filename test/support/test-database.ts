import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** A migrated database of a test's own. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Clones the template database, which takes some tens of milliseconds. */
export const createTestDatabase = () => create(`TEMPLATE ${inject('templateDatabase')}`);

/** One without a single table. */
export const createEmptyDatabase = () => create('');

async function create(from: string): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `interviews_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `CREATE DATABASE ${name} ${from}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
