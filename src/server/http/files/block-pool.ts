/** A buffer from `acquire`. Return it with `release` or `discard`. */
export interface Block {
  readonly bytes: Buffer;
  /** True when the buffer returns to the pool. */
  readonly isPooled: boolean;
}

/**
 * Buffers for reading files, used again and again, because allocating one for each block costs more
 * than reading it. At most `count` exist; further callers get a small buffer for a single use, so
 * that many slow clients neither grow the process nor block each other.
 */
export class BlockPool {
  readonly #blockBytes: number;
  readonly #smallBytes: number;
  readonly #free: Block[] = [];
  #unallocated: number;

  constructor({ count, blockBytes, smallBytes }: { count: number; blockBytes: number; smallBytes: number }) {
    this.#unallocated = count;
    this.#blockBytes = blockBytes;
    this.#smallBytes = smallBytes;
  }

  acquire(): Block {
    const free = this.#free.pop();
    if (free) return free;
    if (this.#unallocated === 0) return { bytes: Buffer.allocUnsafeSlow(this.#smallBytes), isPooled: false };
    this.#unallocated -= 1;
    return { bytes: Buffer.allocUnsafeSlow(this.#blockBytes), isPooled: true };
  }

  /** Call it only when no read or write uses the buffer anymore. */
  release(block: Block): void {
    if (block.isPooled) this.#free.push(block);
  }

  /**
   * For a buffer that the system may still read: it is garbage collected, and the pool may allocate
   * another.
   */
  discard(block: Block): void {
    if (block.isPooled) this.#unallocated += 1;
  }
}

/** 16 MB in total. 256 KB was the fastest block size in bench/video.ts. */
export const fileBlocks = new BlockPool({ count: 64, blockBytes: 256 * 1024, smallBytes: 64 * 1024 });
