import type { StreamTargetChunk } from 'mediabunny';

/**
 * Records the bytes that a writer replaces in the part of a file that it has already written. With
 * the record of a first run, a second run of the same writer can be stored by appending only.
 */
export class Overwrites {
  #size = 0;
  readonly #all: { position: number; data: Uint8Array }[] = [];

  /** Records a chunk of the first run. */
  record({ position, data }: Pick<StreamTargetChunk, 'position' | 'data'>): void {
    const overwritten = Math.min(data.length, this.#size - position);
    if (overwritten > 0) this.#all.push({ position, data: data.slice(0, overwritten) });
    this.#size = Math.max(this.#size, position + data.length);
  }

  /** The size of the file after the first run. */
  get size(): number {
    return this.#size;
  }

  /**
   * Returns the bytes that a chunk of the second run appends, in their final form. `at` is the size
   * of the file before the chunk.
   */
  append({ position, data }: Pick<StreamTargetChunk, 'position' | 'data'>, at: number): Uint8Array {
    const added = data.subarray(Math.max(0, at - position));
    const start = Math.max(at, position);
    for (const { position, data } of this.#all) {
      const from = Math.max(start, position);
      const until = Math.min(start + added.length, position + data.length);
      if (from < until) added.set(data.subarray(from - position, until - position), from - start);
    }
    return added;
  }
}
