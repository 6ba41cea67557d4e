/** Prints what is true. @throws Error with what was found, if it is not */
export function expect(isTrue: boolean, what: string, found?: unknown): void {
  if (!isTrue) throw new Error(`Expected: ${what}.${found === undefined ? '' : ` Found: ${JSON.stringify(found)}`}`);
  console.log(`✓ ${what}`);
}

export const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** True if a GET request succeeds. */
export const isServed = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
