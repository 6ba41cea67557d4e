import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { AGE_MARK, isOtherKey, type Transformation } from './age.ts';
import { BackupError, isMemberName, MANIFEST } from './manifest.ts';
import { formatBytes, shareOf } from './progress.ts';

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
export class ArchiveReader implements AsyncDisposable {
  readonly #handle: FileHandle;
  readonly #name: string;
  readonly #decrypt: Transformation | null;
  readonly #size: number;
  #position = 0;

  private constructor(
    handle: FileHandle,
    { name, size }: { name: string; size: number },
    decrypt: Transformation | null,
  ) {
    this.#handle = handle;
    this.#name = name;
    this.#size = size;
    this.#decrypt = decrypt;
  }

  /** How far the file is read, for example ` (42 %) of 1.4 GB`. */
  get progress(): string {
    return `${shareOf(this.#position, this.#size)} of ${formatBytes(this.#size)}`;
  }

  /**
   * `decrypt` is used if the file is encrypted.
   * @throws BackupError when the file cannot be read
   */
  static async open(path: string, decrypt: Transformation | null = null): Promise<ArchiveReader> {
    const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
      const reason = error.code === 'ENOENT' ? 'the file does not exist' : error.message;
      throw new BackupError(`${path} cannot be read: ${reason}.`);
    });
    const stats = await handle.stat();
    const isFile = stats.isFile();
    const isEncrypted = isFile && (await startsWith(handle, AGE_MARK));
    if (isFile && (decrypt || !isEncrypted))
      return new ArchiveReader(handle, { name: basename(path), size: stats.size }, isEncrypted ? decrypt : null);
    await handle.close();
    throw new BackupError(
      `${path} cannot be read: ${isFile ? 'it is encrypted. Add --key-file with the file of its secret key' : 'it is not a file'}.`,
    );
  }

  /** @throws BackupError when the file is truncated or not a backup */
  async *members(): AsyncGenerator<ArchiveMember> {
    const entries = extract();
    const source = Readable.from(this.#readPlain(), { objectMode: false });
    source.on('error', (error) => entries.destroy(error)).pipe(entries);
    let isFirst = true;
    const explain = (error: unknown) => this.#explain(error, isFirst);
    try {
      for await (const entry of entries) {
        const { name, size = 0, type } = entry.header;
        if (type !== 'file' || !isMemberName(name) || (isFirst && name !== MANIFEST))
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

  async *#readPlain(): AsyncGenerator<Uint8Array> {
    if (!this.#decrypt) return yield* this.#read();
    try {
      yield* this.#decrypt(this.#read());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall) throw error;
      if (isOtherKey(error))
        throw new BackupError(
          `${this.#name} is encrypted for another key. Choose the key file that it was encrypted to.`,
        );
      throw this.damaged('its encrypted content');
    }
  }

  async *#read(): AsyncGenerator<Buffer> {
    for (let at = 0; ; ) {
      const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
      this.#position = at;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }

  /** The digests of the members match, but their author did not have the encryption key. */
  modified = () =>
    new BackupError(
      `${this.#name} was modified: its signature does not match its content. Use another backup. Nothing was changed.`,
    );
  /** `signer` is the id of the key that signed it, or null without a signature. */
  unsigned = (signer: string | null) =>
    new BackupError(
      signer === null
        ? `${this.#name} is not signed: it is from an earlier release, or it was replaced. If you trust the place where it was stored, add --allow-unsigned. Nothing was changed.`
        : `${this.#name} cannot be authenticated without the encryption key that signed it (${signer}). If it was rotated, set ENCRYPTION_KEY to the present key and ENCRYPTION_KEY_PREVIOUS to that one for this command. Otherwise put it in place, or add --allow-unsigned if you trust the place where it was stored. Nothing was changed.`,
    );
  /** The only key that fits its signature is in the backup itself. */
  selfSigned = (signer: string) =>
    new BackupError(
      `${this.#name} contains the encryption key that signed it (${signer}), so its signature does not show who made it. Put the key of the installation in place, from another source than this file, or add --allow-unsigned if only you could write to where the file was stored. Nothing was changed.`,
    );
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

async function startsWith(handle: FileHandle, mark: Buffer): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(mark.length), 0, mark.length, 0);
  return buffer.equals(mark);
}
