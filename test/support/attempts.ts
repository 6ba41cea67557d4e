/** An attack with its expected and its actual outcome. */
export interface Attempt {
  attempt: string;
  expected: string;
  seen: string;
}

/** Returns the attempts with an unexpected outcome, for `expect(…).toEqual([])`. */
export const surprises = (attempts: readonly Attempt[]): Attempt[] =>
  attempts.filter(({ expected, seen }) => seen !== expected);
