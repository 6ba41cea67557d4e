import { extname } from 'node:path';
import type { StoredFile } from '../ports/file-store.ts';

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

/** What a file contains is not ours: opened in a tab of its own it may show itself, and run nothing. */
const SANDBOX =
  "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/**
 * A file's name changes whenever its content does, so a browser need not ask again; but only the browser, and only for this session:
 * after a sign-out the cookie no longer fits and the server is asked.
 */
export const cachingHeaders = {
  'cache-control': 'private, max-age=86400, immutable',
  vary: 'Cookie',
  // Also with a 304, whose headers replace the ones that the browser has kept (RFC 9111, 3.2).
  'content-security-policy': SANDBOX,
};

export const validatorHeaders = ({ etag, modifiedAt }: StoredFile) => ({
  etag: `"${etag}"`,
  'last-modified': modifiedAt.toUTCString(),
});

/** A type that is not on the list is a download for every browser, never a page. */
export const contentHeaders = (name: string) => ({
  'content-type': CONTENT_TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream',
  'content-disposition': 'inline',
});
