import { close, constants, fstat, open, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import type { StoredFile } from '#server/ports/file-store.ts';

// Plain descriptors: for 64 KB blocks the overhead of a FileHandle is measurable.
const openDescriptor = promisify(open);
const statsOf = promisify(fstat) as (descriptor: number) => Promise<Stats>;
const closeDescriptor = promisify(close);

/** O_NONBLOCK keeps a stray named pipe in the folder from blocking a thread. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * An open descriptor shared by its readers and counted by reference: the last release closes it.
 */
export class OpenFile {
  readonly descriptor: number;
  readonly file: StoredFile;
  #readers = 1;

  /** Returns null unless the path is a regular file. Throws system errors. */
  static async at(path: string): Promise<OpenFile | null> {
    const descriptor = await openDescriptor(path, READ);
    try {
      const stats = await statsOf(descriptor);
      if (stats.isFile()) return new OpenFile(descriptor, storedFile(stats));
    } catch (error) {
      await closeDescriptor(descriptor);
      throw error;
    }
    await closeDescriptor(descriptor);
    return null;
  }

  private constructor(descriptor: number, file: StoredFile) {
    this.descriptor = descriptor;
    this.file = file;
  }

  /** Returns false when the descriptor is already closed. */
  acquire(): boolean {
    if (this.#readers === 0) return false;
    this.#readers += 1;
    return true;
  }

  async release(): Promise<void> {
    this.#readers -= 1;
    if (this.#readers === 0) await closeDescriptor(this.descriptor);
  }
}

/**
 * The inode is part of the ETag, because files are never changed in place: new content is a new
 * inode, even if size and time are equal (a disk clock ticks every 4 ms).
 */
export function storedFile({ ino, size, mtimeMs, mtime }: Stats): StoredFile {
  const etag = [ino, size, Math.round(mtimeMs * 1000)].map((number) => number.toString(36)).join('-');
  return { size, modifiedAt: mtime, etag };
}
