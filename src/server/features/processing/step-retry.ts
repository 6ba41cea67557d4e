/** How steps try again what may pass, after the adapters have tried for some seconds themselves. */
export interface StepRetry {
  /** Tries altogether. */
  tries: number;
  /** The wait before the second try; it doubles from try to try. */
  firstDelayMs: number;
  /** No wait is longer, unless the service asks for more: a used-up quota comes back tomorrow. */
  longestDelayMs: number;
}

export const STEP_RETRY: StepRetry = { tries: 6, firstDelayMs: 30_000, longestDelayMs: 15 * 60_000 };
/** A service that asks for more is answered with a try at this moment. */
const LONGEST_ASKED_MS = 36 * 3_600_000;

/** The wait after so many failures, at least what the service asked for. */
export const delayMs = ({ firstDelayMs, longestDelayMs }: StepRetry, failures: number, askedMs = 0): number =>
  Math.max(Math.min(askedMs, LONGEST_ASKED_MS), Math.min(longestDelayMs, firstDelayMs * 2 ** failures));

const SOON_MS = 3_600_000;
const MOMENT = { month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZone: 'UTC' } as const;

/** What a person reads while a step waits: the reason, and when it goes on. */
export function waitingNote(reason: string, ms: number): string {
  if (ms < SOON_MS) return `${reason} It is tried again by itself within the hour.`;
  // The moment, as how long it still takes would be wrong by the time that somebody reads it.
  return `${reason} It is tried again by itself after ${new Date(Date.now() + ms).toLocaleString('en-US', MOMENT)} UTC.`;
}
