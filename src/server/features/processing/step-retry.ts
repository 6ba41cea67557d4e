import type { RetryPolicy } from '#server/ports/retry-policy.ts';

/**
 * How steps retry after the adapters gave up retrying for some seconds. A wait may exceed
 * `maxDelayMs` when the service asks for more, such as a day after its quota is used up.
 */
export const STEP_RETRY: RetryPolicy = { tries: 6, firstDelayMs: 30_000, maxDelayMs: 15 * 60_000 };
/** The longest wait that a service may ask for. */
const MAX_REQUESTED_MS = 36 * 3_600_000;

export const retryDelayMs = ({ firstDelayMs, maxDelayMs }: RetryPolicy, failures: number, requestedMs = 0): number =>
  Math.max(Math.min(requestedMs, MAX_REQUESTED_MS), Math.min(maxDelayMs, firstDelayMs * 2 ** failures));

const SOON_MS = 3_600_000;
const MOMENT = { month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZone: 'UTC' } as const;

/** The note of a waiting step: the reason, and when it is retried. */
export function waitingNote(reason: string, ms: number): string {
  if (ms < SOON_MS) return `${reason} We'll retry automatically within an hour.`;
  // A moment instead of a duration, which would be outdated when the note is read.
  return `${reason} We'll retry automatically after ${new Date(Date.now() + ms).toLocaleString('en-US', MOMENT)} UTC.`;
}
