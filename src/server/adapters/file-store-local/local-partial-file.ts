import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { FileStoreError, isFileName, type SharedFile } from '#server/ports/file-store.ts';
import { diskError } from './disk-error.ts';

export interface PartialPlace {
  path: string;
  /** The name with which the file was resumed. */
  name: string;
  /** Root of the store, for messages. */
  directory: string;
  /** @throws FileStoreError when the reserve of the disk is reached */
  expectRoom: () => Promise<void>;
  /** Makes the complete file durable and visible under `name`, and removes `path`. */
  publish: (name: string, complete: CompleteFile) => Promise<void>;
  /** Called once, when the file is committed or closed. */
  onClosed: () => void;
}

/** A partial file with all its bytes. */
export interface CompleteFile {
  handle: FileHandle;
  size: number;
  /** @throws FileStoreError when another process deleted the file or started it over */
  expectNotReplaced(): Promise<void>;
}

const CHECK_INTERVAL_BYTES = 4 * 2 ** 20;

const { O_CREAT, O_RDWR } = constants;

export const badName = (name: string) => new FileStoreError('bad_name', `"${name}" cannot be the name of a file.`);

/** `remove` recognizes shared files by it. @throws FileStoreError */
export function expectSharedName(name: string): void {
  if (!isFileName(name) || name.includes('.')) throw badName(name);
}

/** A partial file on the local disk, under the same name in another folder. */
export class LocalPartialFile implements SharedFile {
  readonly #place: PartialPlace;
  /** Identifies the opened file even if another file takes its path. */
  readonly #inode: number;
  #handle: FileHandle | null;
  #size: number;
  /** Bytes that may be written before the free space is checked again. */
  #uncheckedBytes = 0;

  static async open(place: PartialPlace): Promise<LocalPartialFile> {
    const handle = await open(place.path, O_CREAT | O_RDWR, 0o640);
    try {
      return new LocalPartialFile(place, handle, await handle.stat());
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  private constructor(place: PartialPlace, handle: FileHandle, { ino, size }: Stats) {
    this.#place = place;
    this.#handle = handle;
    this.#inode = ino;
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  append(...chunks: readonly Uint8Array[]): Promise<void> {
    return this.#withStoreErrors(async (handle) => {
      await this.#expectRoom(chunks.reduce((sum, { length }) => sum + length, 0));
      // A disk that fills up writes a part and reports the error at the next call.
      for (let left = skipBytes(chunks, 0); left.length > 0; ) {
        const { bytesWritten } = await handle.writev(left, this.#size);
        left = skipBytes(left, bytesWritten);
        this.#size += bytesWritten;
      }
    });
  }

  async read(buffer: Uint8Array, position: number): Promise<number> {
    let bytes = 0;
    await this.#withStoreErrors(async (handle) => {
      bytes = (await handle.read(buffer, 0, buffer.length, position)).bytesRead;
    });
    return bytes;
  }

  /** All of the file is readable at any time. */
  async seal(): Promise<void> {}

  truncate(): Promise<void> {
    return this.#withStoreErrors(async (handle) => {
      await handle.truncate(0);
      this.#size = 0;
    });
  }

  async commit(name = this.#place.name): Promise<void> {
    try {
      if (!isFileName(name)) throw badName(name);
      await this.#withStoreErrors((handle) =>
        this.#place.publish(name, {
          handle,
          size: this.#size,
          expectNotReplaced: () => this.#expectNotReplaced(),
        }),
      );
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    if (!handle) return;
    this.#handle = null;
    try {
      await handle.close();
    } finally {
      this.#place.onClosed();
    }
  }

  /** Checks rarely, because a check costs more than writing one chunk. */
  async #expectRoom(bytes: number): Promise<void> {
    this.#uncheckedBytes -= bytes;
    if (this.#uncheckedBytes > 0) return;
    this.#uncheckedBytes = CHECK_INTERVAL_BYTES;
    await this.#place.expectRoom();
  }

  /**
   * Another process may have deleted the file or replaced it with a new one since this one opened
   * it. The other process's file must not be committed.
   */
  async #expectNotReplaced(): Promise<void> {
    const there = await stat(this.#place.path).catch(() => null);
    if (there?.ino !== this.#inode)
      throw new FileStoreError('unavailable', 'The file was deleted while it was being written.');
  }

  async #withStoreErrors(act: (handle: FileHandle) => Promise<void>): Promise<void> {
    if (!this.#handle) throw new FileStoreError('unavailable', 'The file is no longer being written.');
    try {
      await act(this.#handle);
    } catch (error) {
      throw diskError(error, this.#place.directory);
    }
  }
}

/** The chunks after their first `bytes` bytes, without empty ones. */
function skipBytes(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  const left: Uint8Array[] = [];
  for (const chunk of chunks) {
    const skipped = Math.min(bytes, chunk.length);
    bytes -= skipped;
    if (skipped < chunk.length) left.push(chunk.subarray(skipped));
  }
  return left;
}
