/** Limit for all kept videos together. Larger uploads are not kept. */
const MAX_BYTES = 64 * 2 ** 20;

/** The bytes of published videos for watching; new videos replace the oldest. */
export class VideoShelf {
  readonly #videos = new Map<string, Buffer>();
  /** Bytes reserved for uploads in progress. */
  #reserved = 0;

  /** Returns a buffer for an upload, or null if it does not fit even without the other videos. */
  reserve(sizeBytes: number): Buffer | null {
    if (this.#reserved + sizeBytes > MAX_BYTES) return null;
    while (this.#used() + sizeBytes > MAX_BYTES) this.#removeOldest();
    this.#reserved += sizeBytes;
    return Buffer.alloc(sizeBytes);
  }

  release(bytes: Buffer | null): void {
    this.#reserved -= bytes?.length ?? 0;
  }

  put(id: string, bytes: Buffer | null): void {
    if (!bytes) return;
    this.#reserved -= bytes.length;
    this.#videos.set(id, bytes);
  }

  get(id: string): Buffer | null {
    return this.#videos.get(id) ?? null;
  }

  remove(id: string): void {
    this.#videos.delete(id);
  }

  reset(): void {
    this.#videos.clear();
    this.#reserved = 0;
  }

  #used(): number {
    return [...this.#videos.values()].reduce((sum, { length }) => sum + length, this.#reserved);
  }

  #removeOldest(): void {
    const [oldest] = this.#videos.keys();
    if (oldest !== undefined) this.#videos.delete(oldest);
  }
}
