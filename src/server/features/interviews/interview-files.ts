import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { DB } from '#server/db/tables.ts';
import type { FileKind } from '#server/ports/file-store.ts';

/** The extensions of stored files. Early releases took them from the address, not the content. */
const EXTENSIONS: Record<FileKind, readonly string[]> = {
  video: ['mp4', 'webm', 'mov', 'm4v'],
  thumbnail: ['jpg', 'jpeg', 'png', 'webp', 'gif', 'avif'],
};

/**
 * Query parameters that sign an address and change with each signature: S3 and compatible stores,
 * CloudFront, Google Cloud Storage, Azure SAS, and the plain names that other services use.
 */
const SIGNATURE =
  /^(x-(amz|goog|oss|cos|ms)-.+|awsaccesskeyid|googleaccessid|key-pair-id|policy|signature|sig|se|st|sp|sv|sr|spr|skoid|sktid|skt|ske|sks|skv|expires|expiry|exp|token|hmac|hdnts|hdnea)$/i;

/** The address without known parameters that sign it. Names of stored files depend on it. */
export function stableUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  for (const name of [...parsed.searchParams.keys()]) if (SIGNATURE.test(name)) parsed.searchParams.delete(name);
  return parsed.href;
}

const FILE_NAME =
  /\.(3gp|aac|avi|avif|flac|gif|heic|jpe?g|m3u8|m4a|m4v|mkv|mov|mp3|mp4|mpe?g|oga|ogg|ogv|opus|png|svg|wav|webm|webp|wmv)$/i;
const MIN_ID_LENGTH = 16;

/** True for a path that ends in the name of a recording or a picture, or in an id. */
function namesFile(path: string): boolean {
  const last = path.slice(path.lastIndexOf('/') + 1);
  return FILE_NAME.test(last) || (last.length >= MIN_ID_LENGTH && /^[\w-]+$/.test(last) && /\d/.test(last));
}

/**
 * Identifies the file of an interview: by host and path where the path names a file, so that any
 * parameter may change. In other addresses, such as `/download?id=5`, a parameter may name the
 * file, so only known signatures may change.
 */
export function fileAddress(url: string): string {
  const parsed = URL.parse(url);
  return parsed && namesFile(parsed.pathname) ? parsed.origin + parsed.pathname : stableUrl(url);
}

/** Identifies the file of an answer, which has an id, by host and path. */
export function answerAddress(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? parsed.origin + parsed.pathname : url;
}

/**
 * The name of a file in the store without its extension, derived from the interview and the
 * address. A file that was downloaded just before a crash is found again, and a name never refers
 * to two different files.
 */
export function baseName(interviewId: string, url: string): string {
  const readable = interviewId.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 40) || 'interview';
  const hash = createHash('sha256')
    .update(`${interviewId}\n${stableUrl(url)}`)
    .digest('hex')
    .slice(0, 16);
  return `${readable}-${hash}`;
}

/** True when `name` is the file of this address. */
export const isFileOf = (name: string | null | undefined, interviewId: string, url: string): boolean =>
  name?.startsWith(`${baseName(interviewId, url)}.`) ?? false;

type FileUrls = Pick<Selectable<DB['interview']>, 'video_url' | 'video_file' | 'thumbnail_url' | 'thumbnail_file'>;

/** The columns with the address and the stored name of a file, of interviews and of segments. */
export const COLUMNS_OF_FILE = {
  video: ['video_url', 'video_file'],
  thumbnail: ['thumbnail_url', 'thumbnail_file'],
} as const;

export type FileColumns = FileUrls & { id: string; segments: readonly FileUrls[] };

/**
 * Returns the name, without its extension, of the recording that is joined from these files. Other
 * files have another name.
 */
export const joinedName = (interviewId: string, files: readonly string[]): string =>
  baseName(interviewId, files.join('\n'));

/**
 * Returns the files of an interview and of its segments: those that their rows name, and those that
 * a download or a join may be writing.
 */
export function filesOf(interview: FileColumns): { kind: FileKind; name: string }[] {
  const { id, segments } = interview;
  const recorded = segments.flatMap(({ video_file }) => video_file ?? []);
  const joined = recorded.length === 0 ? [] : namesOf('video', joinedName(id, recorded));
  const files = [interview, ...segments].flatMap((row) => [
    ...namesAt('video', id, { url: row.video_url, stored: row.video_file }),
    ...namesAt('thumbnail', id, { url: row.thumbnail_url, stored: row.thumbnail_file }),
  ]);
  const all = [...files, ...joined.map((name) => ({ kind: 'video' as const, name }))];
  return [...new Map(all.map((file) => [`${file.kind} ${file.name}`, file])).values()];
}

function namesAt(kind: FileKind, interviewId: string, { url, stored }: { url: string | null; stored: string | null }) {
  const names = url === null ? [] : namesOf(kind, baseName(interviewId, url));
  return [...(stored === null ? [] : [stored]), ...names].map((name) => ({ kind, name }));
}

/** Returns the files that the rows of an interview and its segments name. */
export const namedFiles = ({ segments, ...interview }: FileColumns): { kind: FileKind; name: string }[] =>
  [interview, ...segments].flatMap(({ video_file, thumbnail_file }) => [
    ...(video_file ? [{ kind: 'video' as const, name: video_file }] : []),
    ...(thumbnail_file ? [{ kind: 'thumbnail' as const, name: thumbnail_file }] : []),
  ]);

/** A partial file has no extension. */
export const namesOf = (kind: FileKind, base: string) => [
  base,
  ...EXTENSIONS[kind].map((extension) => `${base}.${extension}`),
];
