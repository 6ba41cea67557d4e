import { Writable } from 'node:stream';
import type { FileKind, PartialFile } from '#server/ports/file-store.ts';
import { extensionOf, KIND_BYTES } from './file-signature.ts';
import { fileError } from './response.ts';

/**
 * Bytes per call of the store. A connection delivers at most 64 KB at a time, and each call has
 * overhead.
 */
const BUFFER_BYTES = 512 * 1024;
/** Buffers that are kept for the next files, because new ones would cost garbage collection. */
const MAX_FREE_BUFFERS = 6;
const free: Buffer[] = [];
/** Bytes in addition to the buffer that may wait for the disk. Faster senders are slowed down. */
const HIGH_WATER_BYTES = 256 * 1024;

export interface WriterOptions {
  /** Position of the first byte. */
  from: number;
  maxBytes: number;
  kind: FileKind;
  /** Called with the number of bytes that arrived. */
  onBytes: (bytes: number) => void;
}

type Done = (error?: Error | null) => void;

/**
 * Writes a stream into a partial file from byte `from` on, which is its end, or from 0 after
 * truncating it. When the stream is closed, everything that arrived is in the file, even after a
 * broken connection.
 */
export class PartialWriter extends Writable {
  readonly #partial: PartialFile;
  readonly #options: WriterOptions;
  readonly #buffer = free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #count = 0;
  #pending: Promise<void> = Promise.resolve();
  readonly #closed = Promise.withResolvers<void>();

  constructor(partial: PartialFile, options: WriterOptions) {
    super({ highWaterMark: HIGH_WATER_BYTES });
    this.#partial = partial;
    this.#options = options;
  }

  /** Resolves when the file is no longer accessed. */
  idle(): Promise<void> {
    return this.#closed.promise;
  }

  override _construct(done: Done): void {
    this.#startWrite(async () => {
      if (this.#options.from < this.#partial.size) await this.#partial.truncate();
    }, done);
  }

  override _write(chunk: Uint8Array, _encoding: string, done: Done): void {
    const { maxBytes, onBytes } = this.#options;
    onBytes(chunk.length);
    const isTooLarge = this.#partial.size + this.#count + chunk.length > maxBytes;
    if (isTooLarge || this.#fill(chunk)) {
      done(isTooLarge ? tooLarge(maxBytes) : null);
      return;
    }
    this.#startWrite(async () => {
      await this.#flush();
      await this.#append(chunk);
    }, done);
  }

  override _final(done: Done): void {
    this.#startWrite(() => this.#flush(), done);
  }

  override _destroy(error: Error | null, done: Done): void {
    const close = () => {
      if (free.length < MAX_FREE_BUFFERS) free.push(this.#buffer);
      done(error);
      this.#closed.resolve();
    };
    // A store that failed is not called again: the failure skips the flush.
    this.#pending.then(() => this.#flush()).then(close, close);
  }

  /** Copies the chunk into the buffer. Returns false when it does not fit. */
  #fill(chunk: Uint8Array): boolean {
    if (chunk.length > BUFFER_BYTES - this.#count) return false;
    this.#buffer.set(chunk, this.#count);
    this.#count += chunk.length;
    return true;
  }

  async #flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#count);
    this.#count = 0;
    if (bytes.length > 0) await this.#append(bytes);
  }

  /** Checks the signature of the first bytes, so no other content is ever stored. */
  async #append(bytes: Uint8Array): Promise<void> {
    const { kind } = this.#options;
    if (this.#partial.size === 0) {
      // The connection broke this early; the next try restarts.
      if (bytes.length < KIND_BYTES[kind] && this.destroyed) return;
      if (!extensionOf(kind, bytes)) throw wrongContent(kind);
    }
    await this.#partial.append(bytes);
  }

  #startWrite(write: () => Promise<void>, done: Done): void {
    this.#pending = write();
    this.#pending.then(() => done(), done);
  }
}

export const wrongContent = (kind: FileKind) =>
  fileError('bad_response', `The file isn't a supported ${kind === 'video' ? 'video' : 'image'}.`);

export const tooLarge = (maxBytes: number) =>
  fileError('rejected', `The file is larger than ${Math.floor(maxBytes / 2 ** 20)} MB.`);
