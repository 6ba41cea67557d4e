import type { WriteProblem } from '#server/db/database-down.ts';
import type { NewLogEntry } from '#server/features/logs/logs.service.ts';

const WRITE_PROBLEMS = {
  full: { action: 'database-full', reason: 'its disk was full' },
  unwritable: { action: 'database-unwritable', reason: 'it was read-only, or its disk failed' },
} as const;

/** `since`, here and below: when the outage began, in milliseconds of the epoch. */
export const databaseOutageEntry = (since: number): NewLogEntry =>
  outageEntry(
    'database-outage',
    `The database was unreachable for ${durationSince(since)}. Requests failed; background work has resumed.`,
    since,
  );

export function writeProblemEntry(problem: WriteProblem, since: number): NewLogEntry {
  const { action, reason } = WRITE_PROBLEMS[problem];
  return outageEntry(action, `The database could not save anything for ${durationSince(since)}: ${reason}.`, since);
}

export const fileStoreOutageEntry = (reason: string, since: number): NewLogEntry =>
  outageEntry('file-store-outage', `Videos and thumbnails cannot be stored. ${reason}`, since);

export const fileStoreRecoveredEntry = (since: number): NewLogEntry => ({
  ...outageEntry(
    'file-store-outage',
    `Videos and thumbnails can be stored again, after ${durationSince(since)}. The next refresh downloads what is missing.`,
    since,
  ),
  type: 'system',
  status: 'success',
});

export const sourceChangedEntry = (message: string): NewLogEntry => ({
  type: 'system',
  action: 'source-changed',
  status: 'warning',
  summary: message,
});

/** The entry's actor is the account whose session read too much. */
export const readQuotaEntry = (perHour: number): NewLogEntry => ({
  type: 'auth',
  action: 'read-quota-exceeded',
  status: 'warning',
  summary: `A session tried to read more than ${perHour.toLocaleString('en-US')} recordings and texts within an hour.`,
});

const outageEntry = (action: NewLogEntry['action'], summary: string, since: number): NewLogEntry => ({
  type: 'error',
  action,
  status: 'error',
  summary,
  metadata: { since: new Date(since).toISOString() },
});

function durationSince(since: number): string {
  const seconds = Math.max(1, Math.round((Date.now() - since) / 1_000));
  if (seconds < 120) return `${seconds} second${seconds === 1 ? '' : 's'}`;
  return `${Math.round(seconds / 60)} minutes`;
}
