import { readFileSync, statSync } from 'node:fs';
import { MEDIA_DIR } from '../interviews/recordings.ts';

/** Bytes that can be sent from any place. `chunks` makes views, never copies. */
export interface FileSource {
  size: number;
  contentType: string;
  etag: string;
  modifiedAt: Date;
  /** The bytes from `start` to before `end`. */
  chunks(start: number, end: number): Iterable<Buffer>;
}

const CHUNK_BYTES = 256 * 1024;
const CONTENT_TYPES: Record<string, string> = { mp4: 'video/mp4', webm: 'video/webm', jpg: 'image/jpeg' };
/** Fixed, as a fresh clone would otherwise change the dates of files that are the same. */
export const MODIFIED_AT = new Date('2026-11-19T18:00:00Z');

const committed = new Map<string, FileSource | null>();

/** A committed recording or thumbnail, kept in memory: together they are a few megabytes. Null for another name. */
export function committedFile(name: string): FileSource | null {
  const known = committed.get(name);
  if (known !== undefined) return known;
  const source = readCommitted(name);
  // A name that is not there is not kept: peers could ask for any number of them.
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

/** Views of `bytes`, small enough that a slow peer holds little. */
export function* viewsOf(bytes: Buffer, start: number, end: number): Generator<Buffer> {
  for (let at = start; at < end; at += CHUNK_BYTES) yield bytes.subarray(at, Math.min(end, at + CHUNK_BYTES));
}
