import { type AtsVariableSettings, unfinishedAts } from './ats.ts';
import { type SignOnSettings, unfinishedSignOn } from './single-sign-on.ts';

type Name =
  | 'DATABASE_DIRECT_URL'
  | 'DATABASE_OWNER_URL'
  | 'DATABASE_URL'
  | 'ENCRYPTION_KEY'
  | 'ENCRYPTION_KEY_PREVIOUS'
  | 'FILE_STORE'
  | 'MAIL_FROM'
  | 'MIGRATE'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_BUCKET'
  | 'S3_DELIVERY'
  | 'S3_SECRET_ACCESS_KEY'
  | 'SMTP_URL'
  | 'SUMMARY_API_KEY'
  | 'SUMMARY_URL'
  | 'TRANSCRIPTION_API_KEY'
  | 'TRANSCRIPTION_URL'
  | 'X_ACCEL_PREFIX'
  | 'YOUTUBE_CLIENT_ID'
  | 'YOUTUBE_CLIENT_SECRET'
  | 'YOUTUBE_REFRESH_TOKEN';
type Settings = { readonly [name in Name]?: string | undefined };
/** As given, before they are read. */
interface Lists {
  readonly ROLES?: string | undefined;
  readonly WORKER_QUEUES?: string | undefined;
}
interface WorkerSettings {
  readonly ROLES: readonly string[];
  readonly WORKER_QUEUES: readonly string[];
}
interface ScanSettings {
  readonly CLAMD_ADDRESS?: object | null | undefined;
  readonly MAX_VIDEO_BYTES?: number;
}

const ALL_ROLES = 2;
const ALL_QUEUES = 4;

/** ClamAV skips larger files (`man clamd.conf`, MaxFileSize). */
const MAX_SCANNED_BYTES = 2 ** 31 - 1;

/** Returns a sentence for every variable that makes no sense without another one. */
export function impossibleSettings(set: Settings & Lists): string[] {
  const problems: string[] = [];
  if (set.ENCRYPTION_KEY_PREVIOUS && !set.ENCRYPTION_KEY)
    problems.push(
      'ENCRYPTION_KEY_PREVIOUS needs ENCRYPTION_KEY. Set ENCRYPTION_KEY to the new key, or unset ENCRYPTION_KEY_PREVIOUS: a generated key is rotated without it.',
    );
  if (set.DATABASE_OWNER_URL && !set.DATABASE_URL)
    problems.push(
      'DATABASE_OWNER_URL needs DATABASE_URL. Set DATABASE_URL to the same database with another account, or unset DATABASE_OWNER_URL.',
    );
  if (set.DATABASE_DIRECT_URL && !set.DATABASE_URL)
    problems.push(
      'DATABASE_DIRECT_URL needs DATABASE_URL. Set DATABASE_URL to the address of the pooler, or unset DATABASE_DIRECT_URL.',
    );
  if (set.MIGRATE === 'wait' && !set.DATABASE_URL)
    problems.push(
      'MIGRATE needs DATABASE_URL if it is wait, because another process upgrades the database. Set DATABASE_URL, or unset MIGRATE.',
    );
  if (set.SMTP_URL && !set.MAIL_FROM)
    problems.push('SMTP_URL needs MAIL_FROM. Set MAIL_FROM to the address that mails come from, or unset SMTP_URL.');
  problems.push(...impossibleRoles(set));
  problems.push(...impossibleStores(set));
  const client = missing(set, ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET']);
  if (set.YOUTUBE_REFRESH_TOKEN && client.length > 0)
    problems.push(
      `YOUTUBE_REFRESH_TOKEN needs ${client.join(' and ')}. Set ${client.length > 1 ? 'them' : 'it'}, or unset YOUTUBE_REFRESH_TOKEN.`,
    );
  return problems;
}

/** The embedded database serves one process, which therefore has all roles. */
function impossibleRoles(set: Settings & Lists): string[] {
  if (set.DATABASE_URL) return [];
  return [
    ...(isPart(set.ROLES, ALL_ROLES)
      ? ['ROLES needs DATABASE_URL, because other processes do the rest. Set DATABASE_URL, or unset ROLES.']
      : []),
    ...(isPart(set.WORKER_QUEUES, ALL_QUEUES)
      ? [
          'WORKER_QUEUES needs DATABASE_URL, because other processes run the other jobs. Set DATABASE_URL, or unset WORKER_QUEUES.',
        ]
      : []),
  ];
}

const isPart = (list: string | undefined, all: number): boolean =>
  list !== undefined && new Set(list.split(',').flatMap((item) => item.trim() || [])).size < all;

function impossibleStores(set: Settings): string[] {
  const problems: string[] = [];
  if (set.FILE_STORE === 's3' && !set.S3_BUCKET)
    problems.push('FILE_STORE needs S3_BUCKET if it is s3. Set it to the name of an existing bucket.');
  if (set.FILE_STORE === 's3' && set.X_ACCEL_PREFIX)
    problems.push('X_ACCEL_PREFIX needs FILE_STORE=local, because nginx sends files of a folder. Unset it.');
  const keys = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
  const [missingKey, ...more] = missing(set, keys);
  if (missingKey && more.length === 0)
    problems.push(`${keys.find((key) => key !== missingKey)} needs ${missingKey}. Set both or neither.`);
  return problems;
}

/**
 * Returns a sentence for every setting without effect. None of them is an error: a YouTube client
 * without a refresh token, for example, is what `npm run youtube:connect` starts from.
 */
export function unfinishedSettings(
  set: Settings & ScanSettings & WorkerSettings & SignOnSettings & AtsVariableSettings,
): string[] {
  const youtube = missing(set, ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET', 'YOUTUBE_REFRESH_TOKEN']);
  const sentences =
    youtube.length === 1 || youtube.length === 2
      ? [
          `YouTube isn't connected: ${youtube.join(' and ')} ${youtube.length > 1 ? 'are' : 'is'} missing. Run npm run youtube:connect.`,
        ]
      : [];
  if (set.WORKER_QUEUES.length < ALL_QUEUES && !set.ROLES.includes('worker'))
    sentences.push('WORKER_QUEUES has no effect: ROLES does not contain worker.');
  if (set.S3_DELIVERY === 'redirect' && set.FILE_STORE !== 's3')
    sentences.push('S3_DELIVERY has no effect: FILE_STORE is not s3.');
  sentences.push(...unfinishedServices(set), ...unfinishedSignOn(set), ...unfinishedAts(set));
  if (set.CLAMD_ADDRESS && (set.MAX_VIDEO_BYTES ?? 0) > MAX_SCANNED_BYTES)
    sentences.push(
      `ClamAV doesn't scan files above 2 GB, but MAX_VIDEO_BYTES allows larger videos. Set MAX_VIDEO_BYTES=${MAX_SCANNED_BYTES} or less, and StreamMaxLength, MaxFileSize and MaxScanSize in clamd.conf to the same value.`,
    );
  return sentences;
}

function unfinishedServices(set: Settings): string[] {
  const sentences: string[] = [];
  for (const service of ['TRANSCRIPTION', 'SUMMARY'] as const)
    if (set[`${service}_API_KEY`] && !set[`${service}_URL`])
      sentences.push(`${service}_API_KEY has no effect: ${service}_URL is missing. Set it to the URL of the service.`);
  if (set.MAIL_FROM && !set.SMTP_URL)
    sentences.push('MAIL_FROM has no effect: SMTP_URL is missing. Set it to the address of the mail server.');
  return sentences;
}

const missing = (set: Settings, names: readonly Name[]): Name[] => names.filter((name) => !set[name]);
