import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { plural } from '#server/events/log-texts.ts';

type Outage = EventData<'outage.observed'>;

/** An outage that begins this soon after another one counts as the same. */
const SAME_OUTAGE_MS = 60_000;

const OUTAGES = {
  database: (outage) => [
    'database-outage',
    `The database was unreachable for ${durationOf(outage)}. Requests failed; background work has resumed.`,
  ],
  'database-full': (outage) => [
    'database-full',
    `The database could not save anything for ${durationOf(outage)}: its disk was full.`,
  ],
  'database-unwritable': (outage) => [
    'database-unwritable',
    `The database could not save anything for ${durationOf(outage)}: it was read-only, or its disk failed.`,
  ],
  'file-store': ({ reason, machine }) => [
    'file-store-outage',
    `Videos and thumbnails cannot be stored. ${reason}${machine === null ? '' : ` The machine is ${machine}.`}`,
  ],
  'file-store-over': ({ machine, ...outage }) => [
    'file-store-outage',
    `Videos and thumbnails can be stored again${machine === null ? '' : ` on ${machine}`}, after ${durationOf(outage)}. The next refresh downloads what is missing.`,
  ],
  workers: (outage) => [
    'no-worker',
    `No worker process has been running for ${durationOf(outage)}. Refreshes and steps wait. Start a process with the role worker (ROLES).`,
  ],
} satisfies Record<Outage['kind'], (outage: Outage) => [action: NewLogEntry['action'], summary: string]>;

export function outageEntry(outage: Outage): NewLogEntry {
  const { kind, since, machine } = outage;
  const [action, summary] = OUTAGES[kind](outage);
  const metadata = { since, ...(machine !== null && { machine }) };
  return { action, status: kind === 'file-store-over' ? 'success' : 'error', summary, metadata };
}

/** Other processes have observed the same outage, a little earlier or later. */
export const sameOutageMs = ({ since }: Outage): number => Date.now() - Date.parse(since) + SAME_OUTAGE_MS;

function durationOf({ seconds }: { seconds: number }): string {
  if (seconds < 120) return plural(seconds, 'second');
  return `${Math.round(seconds / 60)} minutes`;
}

export const sourceChangedEntry = ({ message }: EventData<'source.changed'>): NewLogEntry => ({
  action: 'source-changed',
  status: 'warning',
  summary: message,
});

/** The entry's actor is the account that has read so much. */
export function readQuotaEntry({ perHour, isExceeded }: EventData<'read-quota.used'>): NewLogEntry {
  const reads = `${perHour.toLocaleString('en-US')} recordings and texts`;
  return {
    type: 'auth',
    action: isExceeded ? 'read-quota-exceeded' : 'read-quota-half-used',
    status: 'warning',
    summary: isExceeded
      ? `An account tried to read more than ${reads} within an hour.`
      : `An account has used half of its reading limit of ${reads} an hour.`,
  };
}

export const startEntry = ({ roles, release }: EventData<'process.started'>): NewLogEntry => ({
  action: 'start',
  status: 'info',
  summary: `${roles.length > 1 ? 'The server' : `A ${roles[0]} process`} was started (release ${release}).`,
  metadata: { release },
});

/** The entry of an upgrade, or of the return to a former release. */
export function releaseChangedEntry({ from, to, migrations }: EventData<'release.changed'>): NewLogEntry {
  const applied = migrations.length === 0 ? 'without migrations' : `with ${plural(migrations.length, 'migration')}`;
  const isBack = from.localeCompare(to, 'en', { numeric: true }) > 0;
  const change = isBack ? 'went back' : 'was upgraded';
  return {
    action: 'upgrade',
    status: isBack ? 'warning' : 'success',
    summary:
      from === to
        ? `The database of release ${to} was upgraded, ${applied}.`
        : `The product ${change} from release ${from} to ${to}, ${applied}.`,
    metadata: { from, to, migrations },
  };
}

export const backupEntry = (metadata: EventData<'backup.made'>): NewLogEntry => ({
  action: 'make-backup',
  summary: `A backup ${metadata.withSecrets ? 'with the secrets ' : ''}was made.`,
  metadata,
});

export const restoreEntry = (metadata: EventData<'backup.restored'>): NewLogEntry => ({
  action: 'restore-backup',
  summary: `A backup that release ${metadata.release} made on ${metadata.createdAt.slice(0, 10)} was restored by release ${metadata.restoredBy}.`,
  metadata,
});

export const moveFilesEntry = (metadata: EventData<'files.moved'>): NewLogEntry => ({
  action: 'move-files',
  summary: `Files were moved to ${metadata.to === 's3' ? 'the bucket' : 'the local folder'}.`,
  metadata,
});

export const rotationEntry = (metadata: EventData<'keys.rotated'>): NewLogEntry => ({
  action: 'rotate-keys',
  status: metadata.unreadable > 0 ? 'warning' : 'success',
  summary: `Stored secrets were encrypted with a new key: ${plural(metadata.apiKeys, 'API key')} and ${plural(metadata.secondFactors, 'second factor')}.`,
  metadata,
});
