import type { Stats } from 'node:fs';
import type { StoredFile } from '#server/ports/file-store.ts';

/**
 * What the system says about a file. The inode is part of the ETag because a file is never changed in place: a new content is a new
 * inode, even when size and time of two contents are the same (the clock of a disk ticks every 4 ms only).
 */
export function storedFile({ ino, size, mtimeMs, mtime }: Stats): StoredFile {
  const etag = [ino, size, Math.round(mtimeMs * 1000)].map((number) => number.toString(36)).join('-');
  return { size, modifiedAt: mtime, etag };
}
