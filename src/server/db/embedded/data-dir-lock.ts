import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const SQLITE_BUSY = 5;

/**
 * Makes this process the only one that uses the folder, until it closes the lock or ends.
 *
 * Node has no file locks, but an exclusive SQLite transaction holds one of the operating system. It
 * cannot go stale, and it works between containers that share a volume, where process ids mean
 * nothing. The holder is written to another file: reading the locked file would release the lock
 * (https://sqlite.org/howtocorrupt.html, 2.2).
 *
 * @throws EmbeddedPostgresError naming the process that uses the folder
 */
export function lockDataDir(dataDir: string): { close(): void } {
  const holderFile = join(dataDir, 'in-use.json');
  const lock = new DatabaseSync(join(dataDir, 'in-use.lock'));
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new EmbeddedPostgresError(
      `${dataDir} is in use by another process${describeHolder(holderFile)}. ` +
        'Stop that one first, or set DATA_DIR to another folder for this one.',
    );
  }
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  writeFileSync(holderFile, JSON.stringify(holder), { mode: 0o600 });
  return lock;
}

function describeHolder(holderFile: string): string {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(holderFile, 'utf8'));
    return `: process ${pid} on ${host}, since ${since}`;
  } catch {
    return '';
  }
}
