import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readAccess, writeAccess } from '#server/db/embedded/access.ts';

/**
 * Copies a data folder whose database is stopped. The copy gets no port, so that copies that start
 * at the same time choose different ones.
 */
export async function copyDataDir(from: string, to: string): Promise<void> {
  // Unlike `fs.cp`, `cp` keeps the owner of the files.
  await promisify(execFile)('cp', ['-a', from, to]);
  const access = await readAccess(to);
  if (!access) throw new Error(`${join(from, 'postgres')} has no password.`);
  await writeAccess(to, { ...access, port: 0 });
}
