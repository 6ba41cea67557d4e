import pg from 'pg';
import { type Access, connectionStringOf, DATABASE } from './access.ts';
import { until } from './until.ts';

/** `cannot_connect_now` (starting, or recovering after a crash) and `invalid_catalog_name`, of PostgreSQL's appendix A. */
const STARTING_UP = '57P03';
const NO_SUCH_DATABASE = '3D000';

/** Reading back the log after a crash takes seconds per gigabyte, and there is at most half a gigabyte. */
export const RECOVERY_TIMEOUT_MS = 300_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** What a server says of itself when asked through a real connection. */
export interface ServerIdentity {
  dataDirectory: string;
  clusterName: string;
}

/**
 * Connects until the server answers, and makes the application's database if it is not there yet.
 * Null when nobody listens for `patienceMs`, when it refuses the password, or as soon as `hasEnded` says so.
 */
export async function waitUntilReady(
  access: Access,
  patienceMs: number,
  hasEnded = () => false,
): Promise<ServerIdentity | null> {
  const silentUntil = performance.now() + patienceMs;
  const outcome = await until<ServerIdentity | 'refused'>(
    async () => {
      if (hasEnded()) return 'refused';
      try {
        return await identify(access);
      } catch (error) {
        const { code } = error as { code?: string };
        if (code === STARTING_UP) return null;
        return code === 'ECONNREFUSED' && performance.now() < silentUntil ? null : 'refused';
      }
    },
    { timeoutMs: RECOVERY_TIMEOUT_MS },
  );
  return outcome === 'refused' ? null : outcome;
}

async function identify(access: Access): Promise<ServerIdentity> {
  try {
    return await ask(access, DATABASE, IDENTITY);
  } catch (error) {
    if ((error as { code?: string }).code !== NO_SUCH_DATABASE) throw error;
    await ask(access, 'postgres', `CREATE DATABASE ${DATABASE}`);
    return ask(access, DATABASE, IDENTITY);
  }
}

const IDENTITY = `SELECT current_setting('data_directory') AS "dataDirectory", current_setting('cluster_name') AS "clusterName"`;

async function ask(access: Access, database: string, sql: string): Promise<ServerIdentity> {
  const client = new pg.Client({
    connectionString: connectionStringOf(access, database),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A server that goes away while we ask is an answer, not a crash of ours.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<ServerIdentity>(sql)).rows[0] as ServerIdentity;
  } finally {
    await client.end();
  }
}
