import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again until `look` answers something, and fails by name when that takes too long. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  limitMs = 10_000,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`Waited ${limitMs} ms in vain until ${what}`);
    await pause(10);
  }
}
