/** How fast a transfer must be. */
export interface MinimumPace {
  bytesPerSecond: number;
  /** A transfer is slow after one such period below the pace, and ends after six. */
  periodMs: number;
  /**
   * Slow transfers at the same time. A further one ends immediately, so that faster ones have room.
   */
  maxSlow: number;
}

const MAX_PERIODS = 6;

/** Measures one transfer over all its tries. Waits between tries do not count. */
export class Pace {
  readonly #minimum: MinimumPace;
  /** The slow transfers of this process. */
  readonly #slow: Set<Pace>;
  readonly #tooSlowError: () => Error;
  readonly #tooSlow = new AbortController();
  /** The bytes of the last periods. */
  readonly #periods: number[] = [];
  #bytes = 0;
  /** Time of earlier tries in the current period. */
  #spentMs = 0;
  #since = 0;
  #isExcused = false;

  constructor(minimum: MinimumPace, slow: Set<Pace>, tooSlowError: () => Error) {
    this.#minimum = minimum;
    this.#slow = slow;
    this.#tooSlowError = tooSlowError;
  }

  /** Aborts with the error when the transfer is too slow. */
  get signal(): AbortSignal {
    return this.#tooSlow.signal;
  }

  readonly onBytes = (bytes: number): void => {
    this.#bytes += bytes;
  };

  /** Measures while `receive` runs. */
  async measure(receive: () => Promise<void>): Promise<void> {
    this.#since = performance.now();
    const timer = setInterval(() => this.#measure(), this.#minimum.periodMs / 10);
    try {
      await receive();
    } finally {
      clearInterval(timer);
      this.#measure();
    }
  }

  /** The sender has to wait for `work`, so its time does not count. */
  async excuse<T>(work: () => Promise<T>): Promise<T> {
    this.#measure();
    this.#isExcused = true;
    try {
      return await work();
    } finally {
      this.#measure();
      this.#isExcused = false;
    }
  }

  /** The transfer has ended. */
  end(): void {
    this.#slow.delete(this);
  }

  #measure(): void {
    const now = performance.now();
    if (!this.#isExcused) this.#spentMs += now - this.#since;
    this.#since = now;
    if (this.#spentMs >= this.#minimum.periodMs) this.#endPeriod();
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
    if (isTooSlow || (isSlow && this.#slow.size > maxSlow)) this.#tooSlow.abort(this.#tooSlowError());
  }
}
