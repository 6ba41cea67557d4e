import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** A database of a test's own. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** On the server of `server`, an address that names any of its databases; `from` is what `CREATE DATABASE` says after the name. */
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
