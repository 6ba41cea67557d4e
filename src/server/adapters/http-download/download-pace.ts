import { fileError } from './answer.ts';

/** How fast a download must be. */
export interface MinimumPace {
  bytesPerSecond: number;
  /** A download is slow after one such period below the pace, and ends after six. */
  periodMs: number;
  /**
   * Slow downloads at the same time. A further one ends at once, so that faster files have room.
   */
  maxSlow: number;
}

const MAX_PERIODS = 6;

/** Measures one download over all its tries. Waits between tries do not count. */
export class DownloadPace {
  readonly #minimum: MinimumPace;
  /** The slow downloads of this process. */
  readonly #slow: Set<DownloadPace>;
  readonly #tooSlow = new AbortController();
  /** The bytes of the last periods. */
  readonly #periods: number[] = [];
  #bytes = 0;
  /** Time of earlier tries in the current period. */
  #spentMs = 0;

  constructor(minimum: MinimumPace, slow: Set<DownloadPace>) {
    this.#minimum = minimum;
    this.#slow = slow;
  }

  /** Aborts with an UpstreamError when the download is too slow. */
  get signal(): AbortSignal {
    return this.#tooSlow.signal;
  }

  readonly onBytes = (bytes: number): void => {
    this.#bytes += bytes;
  };

  /** Measures while `receive` runs. */
  async measure(receive: () => Promise<void>): Promise<void> {
    let since = performance.now();
    const measure = () => {
      const now = performance.now();
      this.#spentMs += now - since;
      since = now;
      if (this.#spentMs >= this.#minimum.periodMs) this.#endPeriod();
    };
    const timer = setInterval(measure, this.#minimum.periodMs / 10);
    try {
      await receive();
    } finally {
      clearInterval(timer);
      measure();
    }
  }

  /** The download has ended. */
  end(): void {
    this.#slow.delete(this);
  }

  #endPeriod(): void {
    const { bytesPerSecond, maxSlow } = this.#minimum;
    const minBytes = (bytesPerSecond * this.#spentMs) / 1_000;
    const isSlow = this.#bytes < minBytes;
    this.#periods.push(this.#bytes);
    if (this.#periods.length > MAX_PERIODS) this.#periods.shift();
    this.#bytes = 0;
    this.#spentMs = 0;
    if (isSlow) this.#slow.add(this);
    else this.#slow.delete(this);
    const total = this.#periods.reduce((sum, bytes) => sum + bytes, 0);
    const isTooSlow = this.#periods.length === MAX_PERIODS && total < minBytes * MAX_PERIODS;
    if (isTooSlow || (isSlow && this.#slow.size > maxSlow))
      this.#tooSlow.abort(fileError('unavailable', 'The file server sends this file too slowly.'));
  }
}
