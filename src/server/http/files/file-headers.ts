import { extname } from 'node:path';
import type { StoredFile } from '#server/ports/file-store.ts';

const CONTENT_TYPES: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mov': 'video/quicktime',
  '.m4v': 'video/mp4',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
};

/** Files come from outside: opened in a tab, one may be displayed but run nothing. */
const SANDBOX =
  "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/**
 * A file's name changes with its content, so a browser need not revalidate. Only the browser may
 * cache it, and only for this session: after a sign-out the cookie differs, so the browser requests
 * the file again.
 */
export const cachingHeaders = {
  'cache-control': 'private, max-age=86400, immutable',
  vary: 'Cookie',
  // A 304 needs it too, because its headers replace the stored ones (RFC 9111, section 3.2).
  'content-security-policy': SANDBOX,
};

export const validatorHeaders = ({ etag, modifiedAt }: StoredFile) => ({
  etag: `"${etag}"`,
  'last-modified': modifiedAt.toUTCString(),
});

/** Browsers download an unknown type and never show it as a page. */
export const contentHeaders = (name: string) => ({
  'content-type': CONTENT_TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream',
  'content-disposition': 'inline',
});
