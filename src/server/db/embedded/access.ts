import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { giveToOwnerOf } from '../../owner-of-folder.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

export const DATABASE = 'interviews';

/** How to reach the embedded server. Kept in DATA_DIR, readable by its owner only, and nowhere else. */
const Access = z.object({
  port: z.int(),
  password: z.string().min(20),
  /** True once the server has answered with the application's database in it. */
  made: z.boolean().default(false),
});
export type Access = z.infer<typeof Access>;

const fileIn = (dataDir: string) => join(dataDir, 'postgres-access.json');

/** The access written earlier; null where there is none. */
export async function readAccess(dataDir: string): Promise<Access | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return Access.parse(JSON.parse(text));
  } catch {
    throw new EmbeddedPostgresError(`${fileIn(dataDir)} is damaged. Put it back from a copy: it holds the password.`);
  }
}

export async function createAccess(dataDir: string): Promise<Access> {
  return writeAccess(dataDir, { port: await freePort(), password: randomBytes(24).toString('base64url'), made: false });
}

/** Whole or not at all: half a password file would lock us out of the database. */
export async function writeAccess(dataDir: string, access: Access): Promise<Access> {
  const temporary = `${fileIn(dataDir)}.new`;
  await writeFile(temporary, JSON.stringify(access), { mode: 0o600, flush: true });
  await giveToOwnerOf(dataDir, temporary);
  await rename(temporary, fileIn(dataDir));
  return access;
}

export const connectionStringOf = ({ port, password }: Access, database: string = DATABASE) =>
  `postgres://${DATABASE}:${password}@127.0.0.1:${port}/${database}`;

/** A port that nobody listens on now; `wanted` when it is free. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  try {
    return await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port: wanted, host: '127.0.0.1', exclusive: true }, () =>
        resolve((server.address() as { port: number }).port),
      );
    });
  } catch (error) {
    if (wanted === 0) throw error;
    return freePort();
  } finally {
    server.close();
  }
}
