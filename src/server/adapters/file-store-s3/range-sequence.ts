import type { ObjectBody, ObjectRange, ObjectReader } from './object-reader.ts';

/** Broken connections in a row until the reader gives up. */
const MAX_BREAKS = 2;

/**
 * The bytes of a range in order, from one request. After a broken connection it requests the rest.
 */
export class RangeSequence {
  readonly #reader: ObjectReader;
  readonly #range: ObjectRange;
  #position: number;
  #body: ObjectBody | null = null;
  #chunks: AsyncIterator<Uint8Array> | null = null;
  /** Received, but not read yet. */
  #rest: Uint8Array = new Uint8Array();
  #breaks = 0;

  constructor(reader: ObjectReader, range: ObjectRange) {
    this.#reader = reader;
    this.#range = range;
    this.#position = range.start;
  }

  /** Where the next call continues. */
  get position(): number {
    return this.#position;
  }

  get end(): number {
    return this.#range.end;
  }

  /** Fills the buffer, which must not extend beyond the end. @throws FileStoreError */
  async fill(buffer: Uint8Array): Promise<void> {
    for (let filled = 0; filled < buffer.length; ) {
      if (this.#rest.length === 0) await this.#receive();
      const bytes = Math.min(this.#rest.length, buffer.length - filled);
      buffer.set(this.#rest.subarray(0, bytes), filled);
      this.#rest = this.#rest.subarray(bytes);
      this.#position += bytes;
      filled += bytes;
    }
  }

  /** Ends the request if its bytes were not all read. */
  close(): void {
    // A complete response leaves its connection open for the next request.
    if (this.#position === this.#range.end) this.#body?.resume();
    else this.#body?.destroy();
    this.#body = null;
    this.#chunks = null;
  }

  async #receive(): Promise<void> {
    this.#chunks ??= await this.#open();
    try {
      const { done, value } = await this.#chunks.next();
      if (done) throw new Error('The response is shorter than its range.');
      this.#rest = value;
      this.#breaks = 0;
    } catch (error) {
      this.close();
      this.#breaks += 1;
      if (this.#breaks > MAX_BREAKS) throw this.#reader.brokenError(error);
    }
  }

  async #open(): Promise<AsyncIterator<Uint8Array>> {
    this.#body = await this.#reader.request({ ...this.#range, start: this.#position });
    return this.#body[Symbol.asyncIterator]();
  }
}
