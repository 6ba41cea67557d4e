const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Life {
  /** How long a session lasts without use. */
  idleMs: number;
  /** Use moves the end forward, and is written down only when it would move by this much: never on each request. */
  stepMs: number;
}

/** The end slides with use: 30 days for those who asked to be remembered, 12 hours for others. */
const LIVES = {
  remembered: { idleMs: 30 * DAY_MS, stepMs: DAY_MS },
  browser: { idleMs: 12 * HOUR_MS, stepMs: 5 * MINUTE_MS },
} satisfies Record<string, Life>;

const lifeOf = (remembered: boolean): Life => (remembered ? LIVES.remembered : LIVES.browser);

/** Seconds that the cookie of a remembered session lives. */
export const REMEMBERED_SECONDS = LIVES.remembered.idleMs / 1_000;

/** When a session that is used at `now` ends, in milliseconds since 1970 like `now`. */
export const endOf = (remembered: boolean, now: number): number => now + lifeOf(remembered).idleMs;

/** From when on a session that ends at `expiresAt` is to be extended by its next use. */
export const extensionDue = (remembered: boolean, expiresAt: number): number => {
  const { idleMs, stepMs } = lifeOf(remembered);
  return expiresAt - idleMs + stepMs;
};
