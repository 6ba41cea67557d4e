import type { MediaFile } from '../../media-thread/serve-files.ts';

const WINDOW_BYTES = 128 * 1024;

/** Reads small pieces of a file, most of them close to the one before, without asking the store for each. */
export class ByteWindow {
  readonly size: number;
  readonly #file: MediaFile;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array();

  constructor(file: MediaFile) {
    this.size = file.size;
    this.#file = file;
  }

  /** Rejects when the file is shorter. */
  async view(start: number, length: number): Promise<DataView> {
    const end = start + length;
    if (start < this.#start || end > this.#start + this.#bytes.length) {
      this.#bytes = await this.#file.read(start, Math.max(end, Math.min(this.size, start + WINDOW_BYTES)));
      this.#start = start;
    }
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + start - this.#start, length);
  }
}
