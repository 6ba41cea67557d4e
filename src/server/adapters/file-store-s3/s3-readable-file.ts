import { FileStoreError, type ReadableFile, type StoredFile } from '#server/ports/file-store.ts';
import type { ObjectReader } from './object-reader.ts';
import { RangeSequence } from './range-sequence.ts';

/** Bytes that are requested for a small read without a known end: parsers read on nearby. */
const WINDOW_BYTES = 512 * 1024;
/** A parser alternates between the tables and the content of a recording. */
const MAX_WINDOWS = 2;

interface Window {
  start: number;
  end: number;
  bytes: Promise<Uint8Array>;
}

/** One version of an object, read in ranges. */
export class S3ReadableFile implements ReadableFile {
  readonly file: StoredFile;
  readonly #key: string;
  readonly #reader: ObjectReader;
  #sequence: RangeSequence | null = null;
  #windows: Window[] = [];
  #isClosed = false;

  constructor(key: string, file: StoredFile, reader: ObjectReader) {
    this.#key = key;
    this.file = file;
    this.#reader = reader;
  }

  async read(buffer: Uint8Array, position: number, end?: number): Promise<number> {
    if (this.#isClosed) throw new FileStoreError('unavailable', 'The file is no longer open.');
    const target = buffer.subarray(0, Math.max(0, this.file.size - position));
    if (target.length === 0) return 0;
    if (end === undefined) await this.#readNearby(target, position);
    else await this.#readInSequence(target, position, Math.min(this.file.size, end));
    return target.length;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sequence?.close();
    this.#sequence = null;
    this.#windows = [];
  }

  async #readInSequence(target: Uint8Array, position: number, end: number): Promise<void> {
    const targetEnd = position + target.length;
    if (this.#sequence?.position !== position || this.#sequence.end < targetEnd) {
      this.#sequence?.close();
      this.#sequence = this.#sequenceOf(position, Math.max(end, targetEnd));
    }
    await this.#sequence.fill(target);
    if (this.#sequence?.position === this.#sequence?.end) this.#sequence?.close();
  }

  async #readNearby(target: Uint8Array, position: number): Promise<void> {
    const end = position + target.length;
    if (target.length >= WINDOW_BYTES) return this.#readExactly(target, position);
    const window =
      this.#windows.find((each) => each.start <= position && end <= each.end) ?? this.#openWindow(position);
    const bytes = await window.bytes;
    target.set(bytes.subarray(position - window.start, end - window.start));
  }

  #openWindow(start: number): Window {
    const bytes = new Uint8Array(Math.min(WINDOW_BYTES, this.file.size - start));
    const filled = this.#readExactly(bytes, start).then(() => bytes);
    const window = { start, end: start + bytes.length, bytes: filled };
    this.#windows = [window, ...this.#windows.slice(0, MAX_WINDOWS - 1)];
    filled.catch(() => {
      this.#windows = this.#windows.filter((each) => each !== window);
    });
    return window;
  }

  async #readExactly(target: Uint8Array, position: number): Promise<void> {
    const sequence = this.#sequenceOf(position, position + target.length);
    try {
      await sequence.fill(target);
    } finally {
      sequence.close();
    }
  }

  #sequenceOf(start: number, end: number): RangeSequence {
    return new RangeSequence(this.#reader, { key: this.#key, etag: this.file.etag, start, end });
  }
}
