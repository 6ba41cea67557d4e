import { extname } from 'node:path';
import type { StoredFile } from '#server/ports/file-store.ts';

const CONTENT_TYPES: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mov': 'video/quicktime',
  '.m4v': 'video/mp4',
  '.m4a': 'audio/mp4',
  '.mp3': 'audio/mpeg',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  '.avif': 'image/avif',
};

/** Files come from outside: opened in a tab, one may be displayed but run nothing. */
const SANDBOX =
  "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/**
 * Recordings and pictures of candidates leave no copy on the disk of a shared computer. Validators
 * still serve `If-Range`, with which players continue a file.
 */
export const storedFileHeaders = {
  'cache-control': 'no-store',
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
  // The store has checked the name.
  'content-disposition': `inline; filename="${name}"`,
});
