import { setTimeout as sleep } from 'node:timers/promises';
import { UpstreamError } from '../../ports/upstream-error.ts';

export interface RetryPolicy {
  /** Tries altogether. */
  tries: number;
  /** The wait before the second try; it doubles from try to try. */
  firstDelayMs: number;
  /** No wait is longer; where a `Retry-After` asks for more, there is no further try. */
  longestDelayMs: number;
}

export const RETRY_POLICY: RetryPolicy = { tries: 4, firstDelayMs: 500, longestDelayMs: 30_000 };

/**
 * Tries again what may pass: rate limits and services that are away. Waits grow exponentially with jitter, so that many callers do not
 * come back at once, and are at least what the service asked for. Where `progress` tells how far the work has got, a try that got
 * further begins the count anew: a long download over a poor line may break many times.
 * @throws UpstreamError of the last try; whatever `signal` aborts with
 */
export async function withRetries<T>(
  policy: RetryPolicy,
  signal: AbortSignal,
  work: () => Promise<T>,
  progress: () => number = () => 0,
): Promise<T> {
  let furthest = progress();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (progress() > furthest) {
        furthest = progress();
        attempt = 1;
      }
      if (!(error instanceof UpstreamError) || !error.passing || attempt >= policy.tries) throw error;
      // Coming back earlier than asked would only be refused again.
      if ((error.retryAfterMs ?? 0) > policy.longestDelayMs) throw error;
      await sleep(delayMs(policy, attempt, error.retryAfterMs), undefined, { signal });
    }
  }
}

function delayMs({ firstDelayMs, longestDelayMs }: RetryPolicy, attempt: number, askedMs = 0): number {
  const growing = firstDelayMs * 2 ** (attempt - 1);
  return Math.min(longestDelayMs, Math.max(askedMs, growing / 2 + (Math.random() * growing) / 2));
}
