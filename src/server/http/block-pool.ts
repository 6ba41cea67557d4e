/** A piece of memory on loan. */
export interface Block {
  readonly bytes: Buffer;
  /** True when the bytes come back to the pool. */
  readonly pooled: boolean;
}

/**
 * Memory for reading files, used again and again: fresh buffers for every block cost more than the reading itself. At most
 * `count` blocks exist; whoever comes when all are lent gets a small one for a single use, so that neither many slow clients make
 * the process grow nor anybody has to wait for them.
 */
export class BlockPool {
  readonly #blockBytes: number;
  readonly #smallBytes: number;
  readonly #free: Block[] = [];
  #unmade: number;

  constructor({ count, blockBytes, smallBytes }: { count: number; blockBytes: number; smallBytes: number }) {
    this.#unmade = count;
    this.#blockBytes = blockBytes;
    this.#smallBytes = smallBytes;
  }

  take(): Block {
    const free = this.#free.pop();
    if (free) return free;
    if (this.#unmade === 0) return { bytes: Buffer.allocUnsafeSlow(this.#smallBytes), pooled: false };
    this.#unmade -= 1;
    return { bytes: Buffer.allocUnsafeSlow(this.#blockBytes), pooled: true };
  }

  /** Only when nobody reads or writes the bytes any more. */
  give(block: Block): void {
    if (block.pooled) this.#free.push(block);
  }

  /** For a block that the system may still be reading: it is left to the garbage collector, another may be made in its place. */
  forget(block: Block): void {
    if (block.pooled) this.#unmade += 1;
  }
}
