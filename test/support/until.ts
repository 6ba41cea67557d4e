import { setTimeout as pause } from 'node:timers/promises';

/**
 * Polls `look` until it returns a truthy value. Throws an error that names `what` after the limit.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  limitMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`Timed out after ${limitMs} ms waiting until ${what}`);
    await pause(25);
  }
}
