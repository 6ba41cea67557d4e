import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { DB } from '#server/db/tables.ts';
import type { FileKind } from '#server/ports/file-store.ts';

/** The extensions of stored files. Those of their content were not always used. */
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

/** The part of an address that stays the same as long as the file does. */
export function stableUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  for (const name of [...parsed.searchParams.keys()]) if (SIGNATURE.test(name)) parsed.searchParams.delete(name);
  return parsed.href;
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

export type FileColumns = Pick<
  Selectable<DB['interview']>,
  'id' | 'video_url' | 'video_file' | 'thumbnail_url' | 'thumbnail_file'
>;

/**
 * The files of an interview: those it names, and those a download of its addresses may be writing.
 */
export function filesOf(interview: FileColumns): { kind: FileKind; name: string }[] {
  const kinds = [
    { kind: 'video', url: interview.video_url, stored: interview.video_file },
    { kind: 'thumbnail', url: interview.thumbnail_url, stored: interview.thumbnail_file },
  ] as const;
  return kinds.flatMap(({ kind, url, stored }) => {
    const names = url === null ? [] : namesOf(kind, baseName(interview.id, url));
    return [...new Set([...(stored === null ? [] : [stored]), ...names])].map((name) => ({ kind, name }));
  });
}

/** A partial file has no extension. */
const namesOf = (kind: FileKind, base: string) => [
  base,
  ...EXTENSIONS[kind].map((extension) => `${base}.${extension}`),
];
