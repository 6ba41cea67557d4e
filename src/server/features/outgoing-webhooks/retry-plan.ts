/** Timing of retries. */
export interface DeliveryRetry {
  /** Quadruples with every attempt. */
  firstDelayMs: number;
  maxDelayMs: number;
  /** Attempts end this long after the event. */
  giveUpMs: number;
  /** After this many consecutive failures, a webhook gets one delivery at a time. */
  brakeAfter: number;
  /** The longest delay between them. */
  maxBrakeMs: number;
  /** A webhook that has failed for this long is paused. */
  pauseMs: number;
}

const HOUR_MS = 3_600_000;

export const DELIVERY_RETRY: DeliveryRetry = {
  firstDelayMs: 5_000,
  maxDelayMs: 4 * HOUR_MS,
  giveUpMs: 24 * HOUR_MS,
  brakeAfter: 5,
  maxBrakeMs: 5 * 60_000,
  pauseMs: 72 * HOUR_MS,
};

const JITTER = 0.2;
const withJitter = (ms: number) => ms * (1 - JITTER + 2 * JITTER * Math.random());

interface FailedAttempt {
  /** Includes this one. */
  attempts: number;
  createdAt: Date;
  retryAfterSeconds: number | null;
}

/** When to retry; null once the time is up. The last attempt is at the end of that time. */
export function nextAttempt(retry: DeliveryRetry, attempt: FailedAttempt, now: number): Date | null {
  const { attempts, createdAt, retryAfterSeconds } = attempt;
  const end = createdAt.getTime() + retry.giveUpMs;
  if (now >= end) return null;
  const delay = Math.min(retry.maxDelayMs, retry.firstDelayMs * 4 ** (attempts - 1));
  const asked = Math.min(retry.maxDelayMs, (retryAfterSeconds ?? 0) * 1_000);
  return new Date(Math.min(end, now + Math.max(asked, withJitter(delay))));
}

/** How long to wait before calling a webhook after this many consecutive failures. */
export function brakeMs({ brakeAfter, firstDelayMs, maxBrakeMs }: DeliveryRetry, failures: number): number {
  if (failures < brakeAfter) return 0;
  return withJitter(Math.min(maxBrakeMs, firstDelayMs * 2 ** Math.min(failures - brakeAfter, 20)));
}
