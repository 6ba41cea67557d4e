import { Writable } from 'node:stream';
import type { FileKind, PartialFile } from '#server/ports/file-store.ts';
import { fileError } from './answer.ts';
import { beginsLike, SIGNATURE_BYTES } from './file-signature.ts';

/** Bytes that go to the store in one call; a connection brings them in pieces of 64 KB at most, and each call has its price. */
const GATHERED_BYTES = 512 * 1024;
/** Buffers that are kept for the next files: fresh memory for each costs the collector more than copying into it. */
const KEPT_BUFFERS = 6;
const free: Buffer[] = [];
/** As much as may wait for the disk besides; a faster sender is slowed down. */
const WAITING_BYTES = 256 * 1024;

export interface WriterOptions {
  /** The place of the first byte. */
  from: number;
  mostBytes: number;
  kind: FileKind;
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
  readonly #gathered = free.pop() ?? Buffer.allocUnsafeSlow(GATHERED_BYTES);
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
      await this.#append(chunk);
    }, done);
  }

  override _final(done: Done): void {
    this.#work(() => this.#flush(), done);
  }

  override _destroy(error: Error | null, done: Done): void {
    const close = () => {
      if (free.length < KEPT_BUFFERS) free.push(this.#gathered);
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
    if (bytes.length > 0) await this.#append(bytes);
  }

  /** What comes first must be the beginning of such a file: nothing else is ever stored, whatever the address claims. */
  async #append(bytes: Uint8Array): Promise<void> {
    const { kind } = this.#options;
    if (this.#partial.size === 0) {
      // A connection that broke so early is begun anew.
      if (bytes.length < SIGNATURE_BYTES[kind] && this.destroyed) return;
      if (!beginsLike(kind, bytes)) throw wrongContent(kind);
    }
    await this.#partial.append(bytes);
  }

  #work(act: () => Promise<void>, done: Done): void {
    this.#atWork = act();
    this.#atWork.then(() => done(), done);
  }
}

const wrongContent = (kind: FileKind) =>
  fileError('bad_answer', `What lies at the address is no ${kind === 'video' ? 'video' : 'picture'} that is known.`);

export const tooLarge = (mostBytes: number) =>
  fileError('rejected', `The file is larger than ${Math.floor(mostBytes / 2 ** 20)} MB.`);
