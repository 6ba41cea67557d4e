import { read } from 'node:fs';
import type { ReadableFile, StoredFile } from '#server/ports/file-store.ts';
import { diskError } from './disk-error.ts';
import type { OpenFile } from './open-file.ts';

/** One reader of a shared open file. */
export class LocalReadableFile implements ReadableFile {
  readonly #directory: string;
  readonly #open: OpenFile;
  #closed = false;

  constructor(open: OpenFile, directory: string) {
    this.#open = open;
    this.#directory = directory;
  }

  get file(): StoredFile {
    return this.#open.file;
  }

  read(buffer: Uint8Array, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      // The descriptor may already belong to another file.
      if (this.#closed) return reject(diskError(new Error('read after close'), this.#directory));
      read(this.#open.descriptor, buffer, 0, buffer.length, position, (error, bytesRead) =>
        error ? reject(diskError(error, this.#directory)) : resolve(bytesRead),
      );
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#open.release();
  }
}
