import { Readable, type Writable } from 'node:stream';
import type { ReadableFile } from '../ports/file-store.ts';
import type { Block, BlockPool } from './block-pool.ts';
import { type ByteRange, lengthOf } from './byte-ranges.ts';
import { readSome } from './read-some.ts';

interface Filled {
  block: Block;
  length: number;
  last: boolean;
}

/**
 * Part of a file as the body of an answer, to be piped. It is a stream in name, so that Fastify's hooks, error handling and clean-up
 * hold for it; but `pipe` moves the bytes itself: it reads the next block while the previous one is being written, and uses a block
 * again as soon as the system has taken it over. Closes the file, however it ends.
 */
export class FileBody extends Readable {
  readonly #file: ReadableFile;
  readonly #pool: BlockPool;
  #position: number;
  #left: number;
  /** Ends the wait for a write that may never be confirmed. */
  #stopWaiting: () => void = () => undefined;
  #piping: Promise<void> | null = null;

  constructor(file: ReadableFile, part: ByteRange, pool: BlockPool) {
    super();
    this.#file = file;
    this.#position = part.start;
    this.#left = lengthOf(part);
    this.#pool = pool;
  }

  override pipe<Target extends NodeJS.WritableStream>(target: Target): Target {
    this.#piping = this.#move(target as unknown as Writable);
    this.#piping.then(
      () => {
        // Tells whoever listens that all went well: `end`, then `close`.
        this.push(null);
        this.resume();
      },
      (error: Error) => this.destroy(error),
    );
    return target;
  }

  override _read(): void {
    this.destroy(new Error('A FileBody can only be piped.'));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#stopWaiting();
    const close = () => this.#file.close();
    // A read may be under way; the file is closed behind it.
    Promise.resolve(this.#piping)
      .then(close, close)
      .then(
        () => done(error),
        (failure: Error) => done(error ?? failure),
      );
  }

  async #move(target: Writable): Promise<void> {
    let current: Filled | null = await this.#fill();
    while (current && !this.destroyed) {
      const reading: Promise<Filled | null> = this.#fill();
      // Its failure is met below, after the write: until then nobody listens.
      reading.catch(() => undefined);
      await this.#write(target, current);
      current = await reading;
    }
    if (current) this.#pool.give(current.block);
  }

  /** Reads the next block, or resolves with null behind the last one. */
  async #fill(): Promise<Filled | null> {
    if (this.#left === 0 || this.destroyed) return null;
    const block = this.#pool.take();
    try {
      const wanted = Math.min(block.bytes.length, this.#left);
      const length = await readSome(this.#file, block.bytes.subarray(0, wanted), this.#position);
      this.#position += length;
      this.#left -= length;
      return { block, length, last: this.#left === 0 };
    } catch (error) {
      this.#pool.give(block);
      throw error;
    }
  }

  /** Resolves when the system has taken the bytes over, or when nobody wants them any more. */
  async #write(target: Writable, { block, length, last }: Filled): Promise<void> {
    const outcome = await new Promise<'written' | 'failed' | 'stopped'>((resolve) => {
      this.#stopWaiting = () => resolve('stopped');
      target.write(block.bytes.subarray(0, length), (error) => resolve(error ? 'failed' : 'written'));
      // In the same tick, so that the last bytes and the end leave together.
      if (last) target.end();
    });
    if (outcome === 'stopped') return this.#pool.forget(block);
    this.#pool.give(block);
    if (outcome === 'failed') this.destroy();
  }
}
