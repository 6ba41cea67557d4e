import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStoreError } from '#server/ports/file-store.ts';
import { diskError } from './disk-error.ts';

/**
 * Reserved for other users of this disk, above all the database: a video can be downloaded later, a
 * lost edit cannot be recovered.
 */
const RESERVED_BYTES = 64 * 2 ** 20;

/** Uploads leave a tenth of the disk to refreshes and the database, but not more than this. */
const MAX_UPLOAD_RESERVE_BYTES = 2 ** 30;

/** The bytes that uploads may still take. */
export async function roomForUploads(directory: string): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(directory);
  const reserve = Math.max(RESERVED_BYTES, Math.min(MAX_UPLOAD_RESERVE_BYTES, (blocks * bsize) / 10));
  return Math.floor(bavail * bsize - reserve);
}

/** @throws FileStoreError `full` when uploads must not take more */
export async function expectRoomForUploads(directory: string): Promise<void> {
  if ((await roomForUploads(directory)) >= 0) return;
  throw new FileStoreError(
    'full',
    'The disk is nearly full, so uploads are paused. Ask an administrator to free space, then retry.',
  );
}

/**
 * Returns the free bytes of the disk.
 * @throws FileStoreError `full` when the reserve is reached
 */
export async function expectRoom(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  if (free >= RESERVED_BYTES) return free;
  throw new FileStoreError(
    'full',
    `The disk is full, except for the space reserved for the database. Free space for ${directory}.`,
  );
}

/** One name per process, because several may share a store. */
const PROBE_FILE = `.probe-${process.pid}`;
const PROBE = Buffer.alloc(4_096);

/**
 * Writes a file and deletes it. Returns the free bytes of the disk.
 * @throws FileStoreError when the disk cannot be written
 */
export async function probeDisk(directory: string): Promise<number> {
  const path = join(directory, PROBE_FILE);
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(path, PROBE);
    await rm(path, { force: true });
    return await expectRoom(directory);
  } catch (error) {
    // A full disk accepts the name but not the bytes.
    await rm(path, { force: true }).catch(() => {});
    throw diskError(error, directory);
  }
}
