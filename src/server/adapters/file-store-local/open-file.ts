import { close, constants, fstat, open, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import type { StoredFile } from '#server/ports/file-store.ts';
import { storedFile } from './stored-file.ts';

// Plain descriptors: for blocks of 64 KB a FileHandle's own work is a measurable part.
const openDescriptor = promisify(open);
const statsOf = promisify(fstat) as (descriptor: number) => Promise<Stats>;
const closeDescriptor = promisify(close);

/** Not waiting for a writer keeps a named pipe that strayed into the folder from blocking a thread. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** An open descriptor that its readers share. Whoever opened it holds it; the last one to let go closes it. */
export class OpenFile {
  readonly descriptor: number;
  readonly file: StoredFile;
  #holders = 1;

  /** Null when there is no regular file. Throws the system's own errors. */
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

  /** False when it is closed already. */
  hold(): boolean {
    if (this.#holders === 0) return false;
    this.#holders += 1;
    return true;
  }

  async letGo(): Promise<void> {
    this.#holders -= 1;
    if (this.#holders === 0) await closeDescriptor(this.descriptor);
  }
}
