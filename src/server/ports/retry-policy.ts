/** How often a failed call is repeated, and how long to wait in between. */
export interface RetryPolicy {
  /** The number of tries, the first one included. */
  tries: number;
  /** The wait before the second try; it doubles with each further try. */
  firstDelayMs: number;
  /** The longest wait. */
  maxDelayMs: number;
}
