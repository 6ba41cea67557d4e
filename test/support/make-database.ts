import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** A database for one test. */
export interface MadeDatabase {
  name: string;
  /** With the account that owns it. */
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database on the server of `server`, the URL of any of its databases. `from` is
 * appended to `CREATE DATABASE`.
 */
export async function makeDatabase(server: string, from = ''): Promise<MadeDatabase> {
  const name = `interviews_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `CREATE DATABASE ${name} ${from}`);
  return {
    name,
    url: databaseUrlIn(server, name),
    drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** The URL of another database on the same server, with the same account. */
export function databaseUrlIn(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

const servers = new Map<string, pg.Pool>();

/**
 * Keeps the connection for the next database, because opening one takes about as long as a query.
 */
async function onServer(url: string, sql: string): Promise<void> {
  const pool = servers.get(url) ?? new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true });
  // The server may stop before the idle connection is closed.
  if (!servers.has(url))
    servers.set(
      url,
      pool.on('error', () => {}),
    );
  await pool.query(sql);
}
