import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { giveToOwnerOf } from '#server/owner-of-folder.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

export const DATABASE = 'interviews';

/**
 * How the owner of the database reaches the embedded server. Stored only in DATA_DIR, readable by
 * its owner. `nextPassword` is there while the password is changed: one of the two is valid.
 */
const Access = z.object({
  port: z.int(),
  password: z.string().min(20),
  nextPassword: z.string().min(20).optional(),
});
export type Access = z.infer<typeof Access>;

const fileIn = (dataDir: string) => join(dataDir, 'postgres-access.json');

/** Returns null when there is none. @throws EmbeddedPostgresError when the file is damaged */
export async function readAccess(dataDir: string): Promise<Access | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return Access.parse(JSON.parse(text));
  } catch {
    throw new EmbeddedPostgresError(
      `${fileIn(dataDir)} is damaged. Restore it from a copy: it contains the password of the database.`,
    );
  }
}

/** Renamed when complete: half a file would lock us out of the database. */
export async function writeAccess(dataDir: string, access: Access): Promise<Access> {
  const draft = `${fileIn(dataDir)}.new`;
  await writeFile(draft, JSON.stringify(access), { mode: 0o600, flush: true });
  await giveToOwnerOf(dataDir, draft);
  await rename(draft, fileIn(dataDir));
  return access;
}

/** The database and its owner have the same name. */
export const connectionStringOf = ({ port, password }: Access, database: string = DATABASE, role: string = DATABASE) =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;

/** Returns `wanted` when it is free, else any free port. */
export async function findFreePort(wanted = 0): Promise<number> {
  const server = createServer();
  const port = await new Promise<number | null>((resolve) => {
    server.once('error', () => resolve(null));
    server.listen({ port: wanted, host: '127.0.0.1', exclusive: true }, () =>
      resolve((server.address() as { port: number }).port),
    );
  });
  server.close();
  return port ?? findFreePort();
}

/**
 * PostgreSQL manual, appendix A: `cannot_connect_now`, `invalid_catalog_name`, `invalid_password`.
 */
const [STARTING_UP, NO_SUCH_DATABASE, WRONG_PASSWORD] = ['57P03', '3D000', '28P01'];
/** Recovery reads at most half a gigabyte of write-ahead log, which takes seconds. */
const RECOVERY_TIMEOUT_MS = 300_000;

interface ReadyServer {
  access: Access;
  dataDirectory: string;
  clusterName: string;
}

const IDENTITY = `SELECT current_setting('data_directory') AS "dataDirectory", current_setting('cluster_name') AS "clusterName"`;

/**
 * Connects until the server responds, and creates the database if it is missing. Returns null when
 * nothing listens for `patienceMs`, when the server refuses the connection, or when `hasEnded`.
 * Otherwise `access` has the password that is valid.
 */
export async function waitUntilReady(
  access: Access,
  patienceMs: number,
  hasEnded = () => false,
): Promise<ReadyServer | null> {
  const startedAt = performance.now();
  const waited = () => performance.now() - startedAt;
  while (!hasEnded() && waited() < RECOVERY_TIMEOUT_MS) {
    try {
      return await identify(access);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === NO_SUCH_DATABASE) await query(access, 'postgres', `CREATE DATABASE ${DATABASE}`);
      else if (code !== STARTING_UP && (code !== 'ECONNREFUSED' || waited() >= patienceMs)) return null;
    }
    await sleep(10);
  }
  return null;
}

async function identify(access: Access): Promise<ReadyServer> {
  try {
    const server = await query(access, DATABASE, IDENTITY);
    return { ...(server as Omit<ReadyServer, 'access'>), access };
  } catch (error) {
    if ((error as { code?: string }).code !== WRONG_PASSWORD || !access.nextPassword) throw error;
    return identify({ port: access.port, password: access.nextPassword });
  }
}

/** Runs statements in one transaction. Returns the first row of a single one. */
export async function query(access: Access, database: string, sql: string): Promise<unknown> {
  const connectionString = connectionStringOf(access, database);
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  // A server that stops during the query fails the query. The event must not end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows?.[0];
  } finally {
    await client.end();
  }
}
