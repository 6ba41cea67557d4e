import { Writable } from 'node:stream';
import type { PartialFile } from '#server/ports/file-store.ts';
import { fileError } from './answer.ts';

/** Bytes that go to the store in one call; a connection brings them in pieces of 64 KB at most, and each call has its price. */
const GATHERED_BYTES = 512 * 1024;
/** As much as may wait for the disk besides; a faster sender is slowed down. */
const WAITING_BYTES = 256 * 1024;

export interface WriterOptions {
  /** The place of the first byte. */
  from: number;
  mostBytes: number;
  /** Called whenever bytes have arrived. */
  onBytes: () => void;
}

type Done = (error?: Error | null) => void;

/**
 * A stream into a half written file: from byte `from` on, its end, or from 0, throwing away what is there. Whatever has arrived is in
 * the file when the stream is closed, also after the connection broke.
 */
export class PartialWriter extends Writable {
  readonly #partial: PartialFile;
  readonly #options: WriterOptions;
  readonly #gathered = Buffer.allocUnsafeSlow(GATHERED_BYTES);
  #count = 0;
  #atWork: Promise<void> = Promise.resolve();
  readonly #closed = Promise.withResolvers<void>();

  constructor(partial: PartialFile, options: WriterOptions) {
    super({ highWaterMark: WAITING_BYTES });
    this.#partial = partial;
    this.#options = options;
  }

  /** Resolves when the file is no longer touched. */
  idle(): Promise<void> {
    return this.#closed.promise;
  }

  override _construct(done: Done): void {
    this.#work(async () => {
      if (this.#options.from < this.#partial.size) await this.#partial.truncate();
    }, done);
  }

  override _write(chunk: Uint8Array, _encoding: string, done: Done): void {
    const { mostBytes, onBytes } = this.#options;
    onBytes();
    const isTooLarge = this.#partial.size + this.#count + chunk.length > mostBytes;
    if (isTooLarge || this.#gather(chunk)) {
      done(isTooLarge ? tooLarge(mostBytes) : null);
      return;
    }
    this.#work(async () => {
      await this.#flush();
      await this.#partial.append(chunk);
    }, done);
  }

  override _final(done: Done): void {
    this.#work(() => this.#flush(), done);
  }

  override _destroy(error: Error | null, done: Done): void {
    const close = () => {
      done(error);
      this.#closed.resolve();
    };
    // A store that failed is not asked again: its failure skips the flush.
    this.#atWork.then(() => this.#flush()).then(close, close);
  }

  /** The usual case, which waits for nothing; false when there is no room left. */
  #gather(chunk: Uint8Array): boolean {
    if (chunk.length > GATHERED_BYTES - this.#count) return false;
    this.#gathered.set(chunk, this.#count);
    this.#count += chunk.length;
    return true;
  }

  async #flush(): Promise<void> {
    const bytes = this.#gathered.subarray(0, this.#count);
    this.#count = 0;
    if (bytes.length > 0) await this.#partial.append(bytes);
  }

  #work(act: () => Promise<void>, done: Done): void {
    this.#atWork = act();
    this.#atWork.then(() => done(), done);
  }
}

export const tooLarge = (mostBytes: number) =>
  fileError('rejected', `The file is larger than ${Math.floor(mostBytes / 2 ** 20)} MB.`);
