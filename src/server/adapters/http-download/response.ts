import type { IncomingHttpHeaders } from 'undici/types/header.js';
import { retryAfterMs } from '#server/adapters/outside-http/retry.ts';
import { type UpstreamError, upstreamErrorsOf } from '#server/ports/upstream-error.ts';

/**
 * The server has other content than the partial file, or cannot continue in the middle: the partial
 * file is useless.
 */
export class ContentChanged extends Error {
  override name = 'ContentChanged';
}

/** The signature of the URL has expired or was never valid. */
export class UrlExpired extends Error {
  override name = 'UrlExpired';
}

export class Redirected extends Error {
  override name = 'Redirected';
  readonly location: string;

  constructor(location: string) {
    super('redirected');
    this.location = location;
  }
}

/** The part of the file in the body of a response. */
export interface Part {
  /** Position of its first byte in the file. */
  from: number;
  /** Length of the whole file, if the server states it. */
  total: number | null;
  /** Value for `If-Range` that identifies this content; null if nothing does. */
  validator: string | null;
}

type Headers = IncomingHttpHeaders;

/**
 * Reads the head of the response to a request for everything from byte `from`.
 * @throws Redirected, ContentChanged, UrlExpired, or UpstreamError when no part of the file
 * follows
 */
export function readDownloadResponse(status: number, headers: Headers, from: number): Part {
  if (status === 200) return { from: 0, total: lengthOf(headers), validator: expectFile(headers) };
  if (status === 206) return { ...rangeOf(headers, from), validator: expectFile(headers) };
  const location = headers.location;
  if ([301, 302, 303, 307, 308].includes(status) && typeof location === 'string') throw new Redirected(location);
  if (status === 403 || status === 410) throw new UrlExpired();
  // RFC 9110, section 15.5.17: the partial file is not a prefix of the current content.
  if (status === 416 && from > 0) throw new ContentChanged();
  throw refusalError(status, headers);
}

function refusalError(status: number, headers: Headers): UpstreamError {
  const more = { retryAfterMs: retryAfterMs(headers['retry-after']) };
  if (status === 404) return fileError('not_found', 'The interview service no longer has this file.');
  if (status === 429) return fileError('rate_limited', 'The file server is rate-limiting us.', more);
  if (status === 408 || status >= 500)
    return fileError('unavailable', `The file server returned an error (${status}).`, more);
  return fileError('rejected', `The file server refused this file (${status}).`);
}

export const fileError = upstreamErrorsOf('files');

/** Refuses content that cannot be a video or an image. Returns its validator. */
function expectFile(headers: Headers): string | null {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw fileError('bad_response', `The file server compressed the file (${encoding}).`);
  if (/^text\/html\b/i.test(String(headers['content-type'] ?? '')))
    throw fileError('bad_response', "The file's address returns a web page.");
  return strongValidator(headers);
}

/**
 * RFC 9110, section 13.1.5: `If-Range` takes a strong ETag, or a date that is strong by section
 * 8.8.2.2.
 */
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

/** Reads `Content-Range` (RFC 9110, section 14.4). The part must begin at `from`. */
function rangeOf(headers: Headers, from: number): Omit<Part, 'validator'> {
  const [, first, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(headers['content-range'] ?? '')) ?? [];
  if (from > 0 && Number(first) !== from) throw new ContentChanged();
  if (first !== '0' && from === 0) throw fileError('bad_response', 'The file server sent the wrong part of the file.');
  return { from, total: total === '*' ? null : Number(total) };
}
