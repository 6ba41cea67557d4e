const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Life {
  /** How long a session lasts without use. */
  idleMs: number;
  /** How long it lasts at most, however much it is used. */
  mostMs: number;
  /** Use moves the end forward, and is written down only when it would move by this much: never on each request. */
  stepMs: number;
}

/** The end slides with use: 30 days for those who asked to be remembered, 12 hours for others. docs/decisions/0007 says why it ends at all. */
const LIVES = {
  remembered: { idleMs: 30 * DAY_MS, mostMs: 90 * DAY_MS, stepMs: DAY_MS },
  browser: { idleMs: 12 * HOUR_MS, mostMs: 7 * DAY_MS, stepMs: 5 * MINUTE_MS },
} satisfies Record<string, Life>;

/** What decides about the end of a session. Moments are milliseconds since 1970. */
export interface SessionTimes {
  remembered: boolean;
  startedAt: number;
}

const lifeOf = ({ remembered }: SessionTimes): Life => (remembered ? LIVES.remembered : LIVES.browser);

/** When a session that is used at `now` ends. */
export const endOf = (session: SessionTimes, now: number): number => {
  const { idleMs, mostMs } = lifeOf(session);
  return Math.min(now + idleMs, session.startedAt + mostMs);
};

/** For a cookie, which counts in seconds. */
export const secondsUntil = (moment: number, now: number): number => Math.floor((moment - now) / 1_000);

/** From when on a session that ends at `expiresAt` is to be extended by its next use; never, once it has the last end it can have. */
export const extensionDue = (session: SessionTimes, expiresAt: number): number => {
  const { idleMs, mostMs, stepMs } = lifeOf(session);
  return expiresAt >= session.startedAt + mostMs ? Number.POSITIVE_INFINITY : expiresAt - idleMs + stepMs;
};
