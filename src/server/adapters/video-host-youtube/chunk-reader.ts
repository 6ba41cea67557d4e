import { FileStoreError, type ReadableFile, readFully } from '#server/ports/file-store.ts';

/**
 * Larger than a connection's own buffer, so that it requests a block only after the previous one
 * was sent.
 */
const BLOCK_BYTES = 512 * 1024;

/**
 * Reads parts of a file in blocks, alternating between two buffers: while one is sent, the other is
 * filled. A block is valid until the block after the next one is requested.
 */
export class ChunkReader {
  readonly #file: ReadableFile;
  readonly #buffers: [Buffer, Buffer];
  #reading: Promise<unknown> = Promise.resolve();
  #turn = 0;

  constructor(file: ReadableFile) {
    this.#file = file;
    const size = Math.min(BLOCK_BYTES, file.file.size);
    this.#buffers = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
  }

  /**
   * Yields the bytes from `from` to before `to`. Reading another part ends this one, because a
   * broken connection does not always end its iteration.
   * @throws FileStoreError
   */
  async *blocks(from: number, to: number): AsyncGenerator<Buffer> {
    this.#turn += 1;
    const turn = this.#turn;
    await this.idle();
    let next = this.#fill(0, { at: from, to });
    for (let at = from, index = 0; at < to; index += 1) {
      const block = await next;
      if (turn !== this.#turn) return;
      at += block.length;
      if (at < to) next = this.#fill(index + 1, { at, to });
      yield block;
    }
  }

  /** Resolves when no read is in progress, so that the file may be closed. */
  async idle(): Promise<void> {
    await this.#reading.catch(() => {});
  }

  #fill(index: number, { at, to }: { at: number; to: number }): Promise<Buffer> {
    const buffer = this.#buffers[index % 2 === 0 ? 0 : 1];
    const reading = this.#read(buffer.subarray(0, Math.min(buffer.length, to - at)), { at, to });
    // The consumer may have stopped; this only prevents an unhandled rejection.
    reading.catch(() => {});
    this.#reading = reading;
    return reading;
  }

  async #read(block: Buffer, { at, to }: { at: number; to: number }): Promise<Buffer> {
    if (await readFully(this.#file, block, { position: at, end: to })) return block;
    throw new FileStoreError('unavailable', 'The video file ended early while it was being read.');
  }
}
