import { setTimeout as sleep } from 'node:timers/promises';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import { reportFailedCall, UpstreamError } from '#server/ports/upstream-error.ts';

export const RETRY_POLICY: RetryPolicy = { tries: 4, firstDelayMs: 500, maxDelayMs: 30_000 };

/**
 * Repeats `call` while it fails with a retryable `UpstreamError`. Waits grow exponentially with
 * jitter, so that many callers do not return together, and last at least as long as the service
 * asks for; when it asks for more than the policy allows, the error is thrown right away. With
 * `progress`, a try that got further restarts the count: a long download over a poor line may break
 * many times.
 * @throws UpstreamError of the last try; the signal's reason
 */
export async function withRetries<T>(
  policy: RetryPolicy,
  signal: AbortSignal,
  call: () => Promise<T>,
  progress: () => number = () => 0,
): Promise<T> {
  let furthest = progress();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      reportFailedCall(error);
      if (progress() > furthest) {
        furthest = progress();
        attempt = 1;
      }
      if (!(error instanceof UpstreamError) || !error.isRetryable || attempt >= policy.tries) throw error;
      // A try before the requested time would only be rejected again.
      if ((error.retryAfterMs ?? 0) > policy.maxDelayMs) throw error;
      await sleep(delayMs(policy, attempt, error.retryAfterMs), undefined, { signal });
    }
  }
}

function delayMs({ firstDelayMs, maxDelayMs }: RetryPolicy, attempt: number, requestedMs = 0): number {
  const growing = firstDelayMs * 2 ** (attempt - 1);
  return Math.min(maxDelayMs, Math.max(requestedMs, growing / 2 + (Math.random() * growing) / 2));
}

/**
 * Parses a `Retry-After` header, a number of seconds or an HTTP date (RFC 9110, section 10.2.3),
 * into milliseconds from now. Undefined when the header is missing or invalid.
 */
export function retryAfterMs(header: string | string[] | undefined, now = Date.now()): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
