import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { BackupError, isMemberName } from './manifest.ts';

const CHUNK_BYTES = 1 << 20;

/** Read it before the next member is requested. */
export interface ArchiveMember {
  name: string;
  size: number;
  chunks(): AsyncGenerator<Buffer>;
  /** For small members: keeps the whole text in memory. */
  text(): Promise<string>;
}

/**
 * Reads a backup from the beginning, any number of times. Trusts nothing in it: see `isMemberName`.
 */
export class ArchiveReader {
  readonly #handle: FileHandle;
  readonly #name: string;

  private constructor(handle: FileHandle, name: string) {
    this.#handle = handle;
    this.#name = name;
  }

  /** @throws BackupError when the file cannot be read */
  static async open(path: string): Promise<ArchiveReader> {
    const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
      const reason = error.code === 'ENOENT' ? 'the file does not exist' : error.message;
      throw new BackupError(`${path} cannot be read: ${reason}.`);
    });
    if ((await handle.stat()).isFile()) return new ArchiveReader(handle, basename(path));
    await handle.close();
    throw new BackupError(`${path} cannot be read: it is not a file.`);
  }

  /** @throws BackupError when the file is truncated or not a backup */
  async *members(): AsyncGenerator<ArchiveMember> {
    const entries = extract();
    const source = Readable.from(this.#read(), { objectMode: false });
    source.on('error', (error) => entries.destroy(error)).pipe(entries);
    let isFirst = true;
    const explain = (error: unknown) => this.#explain(error, isFirst);
    try {
      for await (const entry of entries) {
        const { name, size = 0, type } = entry.header;
        if (type !== 'file' || !isMemberName(name))
          throw isFirst ? this.foreign() : this.damaged('its list of members');
        isFirst = false;
        const chunks = () => readEntry(entry, explain);
        yield { name, size, chunks, text: () => text(chunks()) };
        entry.resume();
      }
    } catch (error) {
      throw explain(error);
    } finally {
      source.destroy();
    }
  }

  async *#read(): AsyncGenerator<Buffer> {
    for (let at = 0; ; ) {
      const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  foreign = () => new BackupError(`${this.#name} is not a backup of this product. Nothing was changed.`);
  truncated = () =>
    new BackupError(`${this.#name} is incomplete: its end is missing. Use another backup. Nothing was changed.`);
  damaged = (what: string) =>
    new BackupError(`${this.#name} is damaged: ${what} was changed. Use another backup. Nothing was changed.`);

  #explain(error: unknown, isFirst: boolean): unknown {
    if (error instanceof BackupError || (error as NodeJS.ErrnoException).syscall) return error;
    if (isFirst) return this.foreign();
    return /end of data/.test((error as Error).message) ? this.truncated() : this.damaged('its list of members');
  }
}

async function* readEntry(entry: AsyncIterable<unknown>, explain: (error: unknown) => unknown): AsyncGenerator<Buffer> {
  try {
    yield* entry as AsyncIterable<Buffer>;
  } catch (error) {
    throw explain(error);
  }
}
