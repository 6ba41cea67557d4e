import type { StreamTargetChunk } from 'mediabunny';

/**
 * What a writer of a file wrote over earlier bytes. Recorded in a first run, it lets a second run
 * that writes the same be stored by appending only.
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
   * Returns what a chunk of the second run appends, in its final form. `at` is where the file ends
   * before the chunk.
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
