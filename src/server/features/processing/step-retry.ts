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

/** What a person reads while a step waits: the reason, and when it goes on. */
export function waitingNote(reason: string, ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  const when =
    minutes < 120 ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}` : `${Math.round(minutes / 60)} hours`;
  return `${reason} It is tried again by itself in about ${when}.`;
}
