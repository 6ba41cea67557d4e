import { constants, type Stats } from 'node:fs';
import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileStoreError, type PartialFile } from '#server/ports/file-store.ts';
import type { DirectorySync } from './directory-sync.ts';
import { diskError, isMissing } from './disk-error.ts';

export interface PartialPlace {
  path: string;
  finalPath: string;
  /** The root of the store, for messages. */
  directory: string;
  /** Of the folder that `finalPath` is in. */
  sync: DirectorySync;
  /** @throws FileStoreError when what is left is kept for others */
  expectRoom: () => Promise<void>;
  /** Called when another content is visible under the final name. */
  replaced: () => void;
  /** Called once, when this file is no longer written. */
  done: () => void;
}

const LOOK_EVERY_BYTES = 4 * 2 ** 20;

const { O_CREAT, O_RDWR } = constants;

/** A half written file on the local disk, under the same name in another folder. */
export class LocalPartialFile implements PartialFile {
  readonly #place: PartialPlace;
  /** What the opened file is to the system, whatever lies at the path meanwhile. */
  readonly #inode: number;
  #handle: FileHandle | null;
  #size: number;
  /** Bytes that may still be written before somebody looks at the room that is left. */
  #unlooked = 0;

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

  append(chunk: Uint8Array): Promise<void> {
    return this.#inOurWords(async (handle) => {
      await this.#expectRoom(chunk.length);
      // A disk that fills up writes a part and says so only at the next call.
      for (let done = 0; done < chunk.length; ) {
        const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, this.#size);
        done += bytesWritten;
        this.#size += bytesWritten;
      }
    });
  }

  async read(buffer: Uint8Array, position: number): Promise<number> {
    let bytes = 0;
    await this.#inOurWords(async (handle) => {
      bytes = (await handle.read(buffer, 0, buffer.length, position)).bytesRead;
    });
    return bytes;
  }

  truncate(): Promise<void> {
    return this.#inOurWords(async (handle) => {
      await handle.truncate(0);
      this.#size = 0;
    });
  }

  async commit(): Promise<void> {
    try {
      await this.#inOurWords(async (handle) => {
        // The content before the name: after a power cut a visible file is whole.
        await handle.datasync();
        await this.#expectUnmoved();
        await this.#rename();
        this.#place.replaced();
        await this.#place.sync.sync();
      });
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
      this.#place.done();
    }
  }

  /** Looks now and then: asking for each piece would cost more than writing it. */
  async #expectRoom(bytes: number): Promise<void> {
    this.#unlooked -= bytes;
    if (this.#unlooked > 0) return;
    this.#unlooked = LOOK_EVERY_BYTES;
    await this.#place.expectRoom();
  }

  async #rename(): Promise<void> {
    const { path, finalPath } = this.#place;
    await rename(path, finalPath).catch(async (error) => {
      if (!isMissing(error)) throw error;
      // The first file of its kind, or somebody removed the folder.
      await mkdir(dirname(finalPath), { recursive: true });
      await rename(path, finalPath);
    });
  }

  /** Somebody may have removed the file, and even begun it anew, since we opened it; that one is not ours to publish. */
  async #expectUnmoved(): Promise<void> {
    const there = await stat(this.#place.path).catch(() => null);
    if (there?.ino !== this.#inode)
      throw new FileStoreError('unavailable', 'The file was removed while it was written.');
  }

  async #inOurWords(act: (handle: FileHandle) => Promise<void>): Promise<void> {
    if (!this.#handle) throw new FileStoreError('unavailable', 'The file is no longer being written.');
    try {
      await act(this.#handle);
    } catch (error) {
      throw diskError(error, this.#place.directory);
    }
  }
}
