/** When attempts follow each other. The delays follow decision 0043. */
export interface PushRetry {
  /** Between a call without a clear result, the first search for its note, and the next ones. */
  delaysMs: readonly number[];
  /** After all of `delaysMs`, and after 429. */
  parkMs: number;
  /**
   * How long after each creation, the last one for all further ones, a search must still find nothing
   * before the creation is repeated: the ATS may find a note later than it stores it.
   */
  repeatAfterMs: readonly number[];
  /** No attempt follows this long after the request. */
  giveUpMs: number;
  /** How long a request waits for the ATS to confirm the candidate and the job. */
  checkTimeoutMs: number;
}

/** Searches after 5 s, 30 s, 75 s and 5 min. */
export const PUSH_RETRY: PushRetry = {
  delaysMs: [5_000, 25_000, 45_000, 225_000],
  parkMs: 30 * 60_000,
  repeatAfterMs: [75_000, 75_000, 75_000, 300_000, 1_800_000],
  giveUpMs: 24 * 3_600_000,
  checkTimeoutMs: 5_000,
};

/** How long the note of the last creation may still be found. `attempts` counts creations. */
export const repeatAfterMs = ({ repeatAfterMs: waits }: PushRetry, attempts: number): number =>
  waits[Math.min(attempts, waits.length) - 1] ?? 0;
