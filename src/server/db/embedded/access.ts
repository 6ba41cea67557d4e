import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { giveToOwnerOf } from '#server/owner-of-folder.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** The database and its owner have the same name. */
export const DATABASE = 'interviews';
/** The account that the product works with. The owner sets it up. */
const APPLICATION = 'interviews_app';
const APPLICATION_ATTRIBUTES = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';

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

export const newPassword = () => randomBytes(24).toString('base64url');

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

/**
 * Gives the owner and the application new passwords. Only the owner's is stored, before and after
 * it is changed: a crash in between leaves a file with both.
 */
export async function changePasswords(dataDir: string, { port, password }: Access) {
  const [nextPassword, application] = [newPassword(), newPassword()];
  await writeAccess(dataDir, { port, password, nextPassword });
  await query(
    { port, password },
    `DO $$ BEGIN
       IF to_regrole('${APPLICATION}') IS NULL THEN CREATE ROLE ${APPLICATION}; END IF;
     END $$;
     ALTER ROLE ${APPLICATION} ${APPLICATION_ATTRIBUTES} PASSWORD '${application}';
     ALTER ROLE ${DATABASE} PASSWORD '${nextPassword}'`,
  );
  const access = await writeAccess(dataDir, { port, password: nextPassword });
  return {
    access,
    ownerUrl: connectionStringOf(access),
    applicationUrl: connectionStringOf({ port, password: application }, DATABASE, APPLICATION),
  };
}

export const connectionStringOf = ({ port, password }: Access, database = DATABASE, role = DATABASE) =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;

/**
 * PostgreSQL manual, appendix A: `cannot_connect_now`, `invalid_catalog_name`, `invalid_password`.
 */
const [STARTING_UP, NO_SUCH_DATABASE, WRONG_PASSWORD] = ['57P03', '3D000', '28P01'];
/** Recovery reads at most half a gigabyte of write-ahead log, which takes seconds. */
const RECOVERY_TIMEOUT_MS = 300_000;

/**
 * Connects until the server responds, and creates the database if it is missing. Returns the access
 * with the password that is valid, or null when nothing listens for `patienceMs`, when the server
 * refuses the connection, or when `hasEnded`.
 */
export async function waitUntilReady(
  { nextPassword, ...access }: Access,
  patienceMs: number,
  hasEnded = () => false,
): Promise<Access | null> {
  const startedAt = performance.now();
  const waited = () => performance.now() - startedAt;
  while (!hasEnded() && waited() < RECOVERY_TIMEOUT_MS) {
    const problem: string | null = await query(access, 'SELECT 1').then(
      () => null,
      ({ code }) => String(code),
    );
    if (problem === null) return access;
    if (problem === WRONG_PASSWORD && nextPassword)
      return waitUntilReady({ ...access, password: nextPassword }, patienceMs, hasEnded);
    if (problem === NO_SUCH_DATABASE) await query(access, `CREATE DATABASE ${DATABASE}`, 'postgres');
    else if (problem !== STARTING_UP && (problem !== 'ECONNREFUSED' || waited() >= patienceMs)) return null;
    await sleep(10);
  }
  return null;
}

/** Runs statements in one transaction. Returns the first row of a single one. */
export async function query(access: Access, sql: string, database = DATABASE): Promise<unknown> {
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
