import type { IncomingHttpHeaders } from 'undici/types/header.js';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { retryAfterMs } from '../http-retry/retry-after.ts';

/** The server holds another content than the one we have begun, or cannot go on in the middle: what is there is of no use. */
export class StartOver extends Error {
  override name = 'StartOver';
}

/** The address was signed and is no longer valid, or was never valid without a fresh signature. */
export class Expired extends Error {
  override name = 'Expired';
}

/** The file is somewhere else. */
export class Redirected extends Error {
  override name = 'Redirected';
  readonly location: string;

  constructor(location: string) {
    super('redirected');
    this.location = location;
  }
}

/** What follows in the body of an answer. */
export interface Part {
  /** Its first byte's place in the file. */
  from: number;
  /** The whole file's length, when the server says it. */
  total: number | null;
  /** Goes into `If-Range` to go on with just this content; null when nothing identifies it. */
  validator: string | null;
}

type Headers = IncomingHttpHeaders;

/**
 * Reads the head of the answer to a request for everything from byte `from` on.
 * @throws Redirected, StartOver, Expired, UpstreamError when no part of the file follows
 */
export function readAnswer(status: number, headers: Headers, from: number): Part {
  if (status === 200) return { from: 0, total: lengthOf(headers), validator: expectFile(headers) };
  if (status === 206) return { ...rangeOf(headers, from), validator: expectFile(headers) };
  const location = headers.location;
  if ([301, 302, 303, 307, 308].includes(status) && typeof location === 'string') throw new Redirected(location);
  if (status === 403 || status === 410) throw new Expired();
  // RFC 9110, section 15.5.17: what we have is no beginning of what is there now.
  if (status === 416 && from > 0) throw new StartOver();
  throw refused(status, headers);
}

function refused(status: number, headers: Headers): UpstreamError {
  const more = { retryAfterMs: retryAfterMs(headers['retry-after']) };
  if (status === 404) return fileError('not_found', 'The interview service no longer has this file.');
  if (status === 429) return fileError('rate_limited', 'The file server is receiving too many requests.', more);
  if (status === 408 || status >= 500)
    return fileError('unavailable', `The file server has a problem (status ${status}).`, more);
  return fileError('rejected', `The file server refuses this file (status ${status}).`);
}

export const fileError = (
  kind: ConstructorParameters<typeof UpstreamError>[1],
  message: string,
  more: { cause?: unknown; retryAfterMs?: number | undefined } = {},
): UpstreamError => new UpstreamError('files', kind, message, more);

/** Refuses what cannot be a video or a picture, and says what identifies the content. */
function expectFile(headers: Headers): string | null {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw fileError('bad_answer', `The file server sent the file compressed (${encoding}).`);
  if (/^text\/html\b/i.test(String(headers['content-type'] ?? '')))
    throw fileError('bad_answer', 'The address of this file leads to a web page.');
  return strongValidator(headers);
}

/** RFC 9110, section 13.1.5: `If-Range` takes a strong ETag, or a date that is strong by section 8.8.2.2. */
function strongValidator(headers: Headers): string | null {
  const { etag, date } = headers;
  if (typeof etag === 'string') return etag.startsWith('"') ? etag : null;
  const modified = headers['last-modified'];
  if (typeof modified !== 'string' || typeof date !== 'string') return null;
  return Date.parse(date) - Date.parse(modified) >= 1_000 ? modified : null;
}

function lengthOf(headers: Headers): number | null {
  const text = headers['content-length'];
  return typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : null;
}

/** `Content-Range` (RFC 9110, section 14.4) of an answer that must begin at `from`. */
function rangeOf(headers: Headers, from: number): Omit<Part, 'validator'> {
  const [, first, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(headers['content-range'] ?? '')) ?? [];
  if (from > 0 && Number(first) !== from) throw new StartOver();
  if (first !== '0' && from === 0)
    throw fileError('bad_answer', 'The file server sent a part of the file that was not asked for.');
  return { from, total: total === '*' ? null : Number(total) };
}
