import { accessSync, constants, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/**
 * Moves temporary folders into memory where Linux offers enough of it. The tests clone a database
 * for almost every test, which takes 15 ms there and several hundred on a disk. An explicit TMPDIR
 * is kept. Call it in the configuration of a test runner, before its workers start.
 */
export function moveTmpdirToMemory(): void {
  if (process.env.TMPDIR || !hasRoom()) return;
  process.env.TMPDIR = FOLDER;
}

function hasRoom(): boolean {
  try {
    accessSync(FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(FOLDER);
    return bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
