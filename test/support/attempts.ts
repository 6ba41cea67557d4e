/** What somebody tries, what must come of it, and what did. */
export interface Attempt {
  attempt: string;
  expected: string;
  seen: string;
}

/** A table for `expect(…).toEqual([])`: an attempt that ended as expected is not in it. */
export const surprises = (attempts: readonly Attempt[]): Attempt[] =>
  attempts.filter(({ expected, seen }) => seen !== expected);
