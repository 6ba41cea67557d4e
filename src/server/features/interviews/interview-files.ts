import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { DB } from '#server/db/tables.ts';
import { FILE_KINDS, type FileKind } from '#server/ports/file-store.ts';

/** The extensions of stored files. Early releases took them from the URL, not the content. */
const EXTENSIONS: Record<FileKind, readonly string[]> = {
  video: ['mp4', 'webm', 'mov', 'm4v'],
  thumbnail: ['jpg', 'jpeg', 'png', 'webp', 'gif', 'avif'],
};

/**
 * Query parameters that sign a URL and change with each signature: S3 and compatible stores,
 * CloudFront, Google Cloud Storage, Azure SAS, and the plain names that other services use.
 */
const SIGNATURE =
  /^(x-(amz|goog|oss|cos|ms)-.+|awsaccesskeyid|googleaccessid|key-pair-id|policy|signature|sig|se|st|sp|sv|sr|spr|skoid|sktid|skt|ske|sks|skv|expires|expiry|exp|token|hmac|hdnts|hdnea)$/i;

/** The URL without known parameters that sign it. Names of stored files depend on it. */
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
 * parameter may change. In other URLs, such as `/download?id=5`, a parameter may name the
 * file, so only known signatures may change.
 */
export function identifyFile(url: string): string {
  const parsed = URL.parse(url);
  return parsed && namesFile(parsed.pathname) ? parsed.origin + parsed.pathname : stableUrl(url);
}

/** Identifies the file of an answer, which has an id, by host and path. */
export function identifyAnswerFile(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? parsed.origin + parsed.pathname : url;
}

/**
 * The name of a file in the store without its extension, derived from the interview and the
 * URL. A file that was downloaded just before a crash is found again, and a name never refers
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

/** True when `name` is the file of this URL. */
export const isFileOf = (name: string | null, interviewId: string, url: string): boolean =>
  name?.startsWith(`${baseName(interviewId, url)}.`) ?? false;

export type FileUrls = Pick<
  Selectable<DB['interview']>,
  'video_url' | 'video_file' | 'thumbnail_url' | 'thumbnail_file'
>;

/** The columns with the URL and the stored name of a file, of interviews and of segments. */
export const COLUMNS_OF_FILE = {
  video: ['video_url', 'video_file'],
  thumbnail: ['thumbnail_url', 'thumbnail_file'],
} as const;

export type FileColumns = FileUrls & { id: string; segments: readonly FileUrls[] };

/** A file in the store, and the interview it belongs to. */
export interface StoredInterviewFile {
  interviewId: string;
  kind: FileKind;
  name: string;
}

/** A video or thumbnail at the URL that the interview service gave. */
export interface InterviewFile {
  interviewId: string;
  /** The answer whose file this is; null for a file of the interview itself. */
  segmentId: string | null;
  kind: FileKind;
  url: string;
}

/** Both files of an interview or of a segment. */
export const filesIn = (row: FileUrls) =>
  FILE_KINDS.map((kind) => {
    const [url, name] = COLUMNS_OF_FILE[kind];
    return { kind, url: row[url], name: row[name] };
  });

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
export function filesOf(interview: FileColumns): StoredInterviewFile[] {
  const { id: interviewId, segments } = interview;
  const recorded = segments.flatMap(({ video_file }) => video_file ?? []);
  const written = [interview, ...segments]
    .flatMap(filesIn)
    .flatMap(({ kind, url }) => (url === null ? [] : filesNamed(kind, baseName(interviewId, url))));
  const joined = recorded.length === 0 ? [] : filesNamed('video', joinedName(interviewId, recorded));
  const all = [...namedFiles(interview), ...[...written, ...joined].map((file) => ({ interviewId, ...file }))];
  return [...new Map(all.map((file) => [`${file.kind} ${file.name}`, file])).values()];
}

/** Returns the files that the rows of an interview and its segments name. */
export const namedFiles = (interview: FileColumns): StoredInterviewFile[] =>
  [interview, ...interview.segments]
    .flatMap(filesIn)
    .flatMap(({ kind, name }) => (name === null ? [] : [{ interviewId: interview.id, kind, name }]));

/** The files that a download or a join may write. A partial file has no extension. */
export const filesNamed = (kind: FileKind, base: string) =>
  [base, ...EXTENSIONS[kind].map((extension) => `${base}.${extension}`)].map((name) => ({ kind, name }));
