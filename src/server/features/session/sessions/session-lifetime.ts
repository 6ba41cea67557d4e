const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Lifetime {
  /** A session ends after this long without use. */
  idleMs: number;
  /** A session ends this long after its start, even if it is used. */
  maxMs: number;
  /** A new end is stored only when it moves by at least this much, so not on every request. */
  stepMs: number;
}

/** docs/decisions/0007 explains why remembered sessions end at all. */
const LIFETIMES = {
  remembered: { idleMs: 30 * DAY_MS, maxMs: 90 * DAY_MS, stepMs: DAY_MS },
  browser: { idleMs: 12 * HOUR_MS, maxMs: 7 * DAY_MS, stepMs: 5 * MINUTE_MS },
  // Never extended: the next sign-in reads the rights at the provider again.
  singleSignOn: { idleMs: 12 * HOUR_MS, maxMs: 12 * HOUR_MS, stepMs: Number.POSITIVE_INFINITY },
} satisfies Record<string, Lifetime>;

export interface SessionTimes {
  remembered: boolean;
  /** Started by single sign-on. */
  isSingleSignOn: boolean;
  /** Milliseconds since 1970, like all times in this file. */
  startedAt: number;
}

function lifetimeOf({ remembered, isSingleSignOn }: SessionTimes): Lifetime {
  if (isSingleSignOn) return LIFETIMES.singleSignOn;
  return remembered ? LIFETIMES.remembered : LIFETIMES.browser;
}

/** Returns when a session ends that is used at `now`. */
export const endOf = (session: SessionTimes, now: number): number => {
  const { idleMs, maxMs } = lifetimeOf(session);
  return Math.min(now + idleMs, session.startedAt + maxMs);
};

export const secondsUntil = (time: number, now: number): number => Math.floor((time - now) / 1_000);

/**
 * Returns the time from which the next use extends a session that ends at `expiresAt`. Infinity
 * when the session has reached its maximum.
 */
export const extensionDue = (session: SessionTimes, expiresAt: number): number => {
  const { idleMs, maxMs, stepMs } = lifetimeOf(session);
  return expiresAt >= session.startedAt + maxMs ? Number.POSITIVE_INFINITY : expiresAt - idleMs + stepMs;
};
