import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** A database for one test. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database on the server of `server`, the address of any of its databases. `from` is
 * appended to `CREATE DATABASE`.
 */
export async function makeDatabase(server: string, from = ''): Promise<TestDatabase> {
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
