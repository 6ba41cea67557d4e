import { readFileSync, statSync } from 'node:fs';
import { MEDIA_DIR } from '#sandbox/interviews/recordings.ts';

/** Bytes that can be sent from any position. `chunks` returns views and copies nothing. */
export interface FileSource {
  size: number;
  contentType: string;
  etag: string;
  modifiedAt: Date;
  /** Yields the bytes from `start` to before `end`. */
  chunks(start: number, end: number): Iterable<Buffer>;
}

const CHUNK_BYTES = 256 * 1024;
const CONTENT_TYPES: Record<string, string> = { mp4: 'video/mp4', webm: 'video/webm', jpg: 'image/jpeg' };
/** Constant, because a fresh clone changes the dates of unchanged files. */
export const MODIFIED_AT = new Date('2026-11-19T18:00:00Z');

const committed = new Map<string, FileSource | null>();

/**
 * Returns a committed recording or thumbnail from memory (a few megabytes in total), or null for
 * another name.
 */
export function committedFile(name: string): FileSource | null {
  const known = committed.get(name);
  if (known !== undefined) return known;
  const source = readCommitted(name);
  // Unknown names are not cached, because a client could request any number of them.
  if (source) committed.set(name, source);
  return source;
}

function readCommitted(name: string): FileSource | null {
  const match = /^[a-z0-9-]+\.(mp4|webm|jpg)$/.exec(name);
  const url = new URL(name, MEDIA_DIR);
  if (!match?.[1] || !statSync(url, { throwIfNoEntry: false })?.isFile()) return null;
  const bytes = readFileSync(url);
  return {
    size: bytes.length,
    contentType: CONTENT_TYPES[match[1]] ?? 'application/octet-stream',
    etag: `"${name}-${bytes.length.toString(16)}"`,
    modifiedAt: MODIFIED_AT,
    chunks: (start, end) => viewsOf(bytes, start, end),
  };
}

/** Yields views small enough that a slow client holds little memory. */
export function* viewsOf(bytes: Buffer, start: number, end: number): Generator<Buffer> {
  for (let at = start; at < end; at += CHUNK_BYTES) yield bytes.subarray(at, Math.min(end, at + CHUNK_BYTES));
}
