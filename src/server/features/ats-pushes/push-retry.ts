/** Timing of attempts. Decision 0043 explains the delays. */
export interface PushRetry {
  /**
   * Delays after a call with an unclear outcome: until the first search for its note, the second,
   * and so on.
   */
  delaysMs: readonly number[];
  /** Delay after the last of `delaysMs`, and after a 429. */
  parkMs: number;
  /**
   * The creation is repeated only if a search still finds nothing after this time, because the
   * index of the ATS lags. One entry for each creation; the last one covers all further creations.
   */
  repeatAfterMs: readonly number[];
  /** Attempts end this long after the request. */
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

/** How long the last note created may still turn up in a search. `attempts` counts creations. */
export const repeatAfterMs = ({ repeatAfterMs: waits }: PushRetry, attempts: number): number =>
  waits[Math.max(Math.min(attempts, waits.length), 1) - 1] ?? 0;
