import { Writable } from 'node:stream';
import type { PartialFile } from '#server/ports/file-store.ts';
import { fileError } from './answer.ts';

/** As much as may wait for the disk; a faster sender is slowed down. */
const WAITING_BYTES = 256 * 1024;

type Done = (error?: Error | null) => void;

export interface WriterOptions {
  /** The place of the first byte. */
  from: number;
  mostBytes: number;
  /** Called whenever bytes have arrived. */
  onBytes: () => void;
}

/** A stream into a half written file: from byte `from` on, its end, or from 0, throwing away what is there. */
export class PartialWriter extends Writable {
  readonly #partial: PartialFile;
  readonly #options: WriterOptions;
  #atWork: Promise<void> = Promise.resolve();

  constructor(partial: PartialFile, options: WriterOptions) {
    super({ highWaterMark: WAITING_BYTES });
    this.#partial = partial;
    this.#options = options;
  }

  /** Resolves when the file is no longer touched, also when the stream was destroyed in the middle of a write. */
  async idle(): Promise<void> {
    await this.#atWork.catch(() => {});
  }

  override _construct(done: Done): void {
    this.#work(async () => {
      if (this.#options.from < this.#partial.size) await this.#partial.truncate();
    }, done);
  }

  override _write(chunk: Uint8Array, _encoding: string, done: Done): void {
    this.#work(() => this.#append(chunk), done);
  }

  /** What has gathered while the disk was busy goes there in one call. */
  override _writev(chunks: { chunk: Uint8Array }[], done: Done): void {
    this.#work(() => this.#append(Buffer.concat(chunks.map(({ chunk }) => chunk))), done);
  }

  async #append(chunk: Uint8Array): Promise<void> {
    const { mostBytes, onBytes } = this.#options;
    onBytes();
    if (this.#partial.size + chunk.length > mostBytes) throw tooLarge(mostBytes);
    await this.#partial.append(chunk);
  }

  #work(act: () => Promise<void>, done: Done): void {
    this.#atWork = act();
    this.#atWork.then(() => done(), done);
  }
}

export const tooLarge = (mostBytes: number) =>
  fileError('rejected', `The file is larger than ${Math.floor(mostBytes / 2 ** 20)} MB.`);
