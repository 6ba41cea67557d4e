/** What all kept videos may take together: enough for a demonstration, and little beside a test of large uploads. */
const MOST_BYTES = 64 * 2 ** 20;

/** The bytes of published videos, so that they can be watched; the oldest give way to new ones. */
export class VideoShelf {
  readonly #videos = new Map<string, Buffer>();
  /** Of uploads under way. */
  #promised = 0;

  /** Room for an upload, or null when there is none even without the videos. */
  spaceFor(sizeBytes: number): Buffer | null {
    if (this.#promised + sizeBytes > MOST_BYTES) return null;
    while (this.#used() + sizeBytes > MOST_BYTES) this.#removeOldest();
    this.#promised += sizeBytes;
    return Buffer.alloc(sizeBytes);
  }

  giveUp(bytes: Buffer | null): void {
    this.#promised -= bytes?.length ?? 0;
  }

  put(id: string, bytes: Buffer | null): void {
    if (!bytes) return;
    this.#promised -= bytes.length;
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
    this.#promised = 0;
  }

  #used(): number {
    return [...this.#videos.values()].reduce((sum, { length }) => sum + length, this.#promised);
  }

  #removeOldest(): void {
    const [oldest] = this.#videos.keys();
    if (oldest !== undefined) this.#videos.delete(oldest);
  }
}
