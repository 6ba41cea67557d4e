import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStoreError } from '#server/ports/file-store.ts';
import { diskError } from './disk-error.ts';

/** Left to whoever else writes to this disk, the database above all: a video can be fetched later, an edit that is lost cannot. */
const KEPT_FREE_BYTES = 64 * 2 ** 20;

/** Resolves with the free bytes of the disk. @throws FileStoreError full when no more should be used */
export async function expectRoom(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  if (free >= KEPT_FREE_BYTES) return free;
  throw new FileStoreError(
    'full',
    `The disk is full, but for what is kept for the database: make room for ${directory}.`,
  );
}

/** One name for each process: several may share a store. */
const PROBE_FILE = `.probe-${process.pid}`;
const PROBE = Buffer.alloc(4_096);

/** Writes a file and removes it again. Resolves with the free bytes of the disk. @throws FileStoreError when it cannot be written to */
export async function probeDisk(directory: string): Promise<number> {
  const path = join(directory, PROBE_FILE);
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(path, PROBE);
    await rm(path, { force: true });
    return await expectRoom(directory);
  } catch (error) {
    // A full disk takes the name and not the bytes.
    await rm(path, { force: true }).catch(() => {});
    throw diskError(error, directory);
  }
}
