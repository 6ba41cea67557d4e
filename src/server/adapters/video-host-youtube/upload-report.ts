/** Often enough for a bar to move, seldom enough to be written down each time. */
const EVERY_MS = 300;

/** Passes on how much the host has, at most a few times a second. */
export class UploadReport {
  readonly #total: number;
  readonly #tell: (sentBytes: number, totalBytes: number) => void;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(total: number, tell: (sentBytes: number, totalBytes: number) => void) {
    this.#total = total;
    this.#tell = tell;
  }

  kept(bytes: number): void {
    if (performance.now() - this.#toldAt < EVERY_MS) return;
    this.#toldAt = performance.now();
    this.#tell(bytes, this.#total);
  }

  /** The end is told whenever it comes. */
  done(): void {
    this.#tell(this.#total, this.#total);
  }
}
