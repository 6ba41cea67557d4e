import type { WriteProblem } from '#server/db/database-down.ts';
import type { NewLogEntry } from '#server/features/logs/logs.service.ts';
import { RELEASE } from '#server/release.ts';

const WRITE_PROBLEMS = {
  full: { action: 'database-full', reason: 'its disk was full' },
  unwritable: { action: 'database-unwritable', reason: 'it was read-only, or its disk failed' },
} as const;

/** `since`: when the outage began, in milliseconds of the epoch. */
export type OutageEntry = NewLogEntry & { since: number };

export const databaseOutageEntry = (since: number): OutageEntry =>
  outageEntry(
    'database-outage',
    `The database was unreachable for ${durationSince(since)}. Requests failed; background work has resumed.`,
    since,
  );

export function writeProblemEntry(problem: WriteProblem, since: number): OutageEntry {
  const { action, reason } = WRITE_PROBLEMS[problem];
  return outageEntry(action, `The database could not save anything for ${durationSince(since)}: ${reason}.`, since);
}

interface FileStoreOutage {
  since: number;
  /** The machine, if the problem is its disk. */
  machine: string | null;
}

export function fileStoreOutageEntry(reason: string, { since, machine }: FileStoreOutage): OutageEntry {
  const where = machine === null ? '' : ` The machine is ${machine}.`;
  return outageEntry('file-store-outage', `Videos and thumbnails cannot be stored. ${reason}${where}`, since, machine);
}

export function fileStoreRecoveredEntry({ since, machine }: FileStoreOutage): OutageEntry {
  const where = machine === null ? '' : ` on ${machine}`;
  const summary = `Videos and thumbnails can be stored again${where}, after ${durationSince(since)}. The next refresh downloads what is missing.`;
  return { ...outageEntry('file-store-outage', summary, since, machine), type: 'system', status: 'success' };
}

export const noWorkerEntry = (since: number): OutageEntry =>
  outageEntry(
    'no-worker',
    `No worker process has been running for ${durationSince(since)}. Refreshes and steps wait. Start a process with the role worker (ROLES).`,
    since,
  );

export const sourceChangedEntry = (message: string): NewLogEntry => ({
  type: 'system',
  action: 'source-changed',
  status: 'warning',
  summary: message,
});

/** The entry's actor is the account that has read so much. */
export const halfReadQuotaEntry = (perHour: number): NewLogEntry => ({
  type: 'auth',
  action: 'read-quota-half-used',
  status: 'warning',
  summary: `An account has used half of its reading limit of ${perHour.toLocaleString('en-US')} recordings and texts an hour.`,
});

/** The entry's actor is the account that tried to read too much. */
export const readQuotaEntry = (perHour: number): NewLogEntry => ({
  type: 'auth',
  action: 'read-quota-exceeded',
  status: 'warning',
  summary: `An account tried to read more than ${perHour.toLocaleString('en-US')} recordings and texts within an hour.`,
});

export const startEntry = (roles: readonly string[]): NewLogEntry => ({
  type: 'system',
  action: 'start',
  status: 'info',
  summary: `${roles.length > 1 ? 'The server' : `A ${roles[0]} process`} was started (release ${RELEASE}).`,
  metadata: { release: RELEASE },
});

export interface ReleaseChange {
  from: string;
  to: string;
  /** Applied since the process of `from` started. */
  migrations: readonly string[];
}

/** The entry of an upgrade, or of the return to a former release. */
export function releaseChangedEntry({ from, to, migrations }: ReleaseChange): NewLogEntry {
  const count = migrations.length;
  const applied = count === 0 ? 'without migrations' : `with ${count} ${count === 1 ? 'migration' : 'migrations'}`;
  const isBack = from.localeCompare(to, 'en', { numeric: true }) > 0;
  const change = isBack ? 'went back' : 'was upgraded';
  return {
    type: 'system',
    action: 'upgrade',
    status: isBack ? 'warning' : 'success',
    summary:
      from === to
        ? `The database of release ${to} was upgraded, ${applied}.`
        : `The product ${change} from release ${from} to ${to}, ${applied}.`,
    metadata: { from, to, migrations },
  };
}

/** @param machine part of what makes two entries the same, see `Logs.writeOnce` */
function outageEntry(
  action: NewLogEntry['action'],
  summary: string,
  since: number,
  machine: string | null = null,
): OutageEntry {
  const metadata = { since: new Date(since).toISOString(), ...(machine !== null && { machine }) };
  return { type: 'error', action, status: 'error', summary, metadata, since };
}

function durationSince(since: number): string {
  const seconds = Math.max(1, Math.round((Date.now() - since) / 1_000));
  if (seconds < 120) return `${seconds} second${seconds === 1 ? '' : 's'}`;
  return `${Math.round(seconds / 60)} minutes`;
}
