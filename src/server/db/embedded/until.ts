import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again until the answer is not null; null when `timeoutMs` have passed. */
export async function until<T>(
  ask: () => Promise<T | null> | T | null,
  { timeoutMs, everyMs = 10 }: { timeoutMs: number; everyMs?: number },
): Promise<T | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() >= deadline) return null;
    await pause(everyMs);
  }
}
