import type { IncomingHttpHeaders } from 'node:http';
import type { StoredFile } from '#server/ports/file-store.ts';

type Version = Pick<StoredFile, 'etag' | 'modifiedAt'>;

/**
 * Evaluates the conditional headers of a GET or HEAD in the order of RFC 9110, section 13.2.2.
 * fresh knows neither `If-Match` nor `If-Unmodified-Since`.
 */
export function checkPreconditions(headers: IncomingHttpHeaders, version: Version): 'send' | 'not-modified' | 'failed' {
  if (headers['if-match'] !== undefined) {
    if (!hasTag(headers['if-match'], version, 'strong')) return 'failed';
  } else if (isModifiedSince(headers['if-unmodified-since'], version) === true) {
    return 'failed';
  }
  if (headers['if-none-match'] !== undefined) {
    return hasTag(headers['if-none-match'], version, 'weak') ? 'not-modified' : 'send';
  }
  return isModifiedSince(headers['if-modified-since'], version) === false ? 'not-modified' : 'send';
}

/**
 * `If-Range`: a range applies only while the file is the version that the client has part of (RFC
 * 9110, section 13.1.5).
 */
export function rangeApplies(ifRange: string | undefined, version: Version): boolean {
  if (ifRange === undefined) return true;
  if (ifRange.includes('"')) return ifRange.trim() === `"${version.etag}"`;
  return Date.parse(ifRange) === wholeSeconds(version.modifiedAt);
}

/** True for `*` too. Our tags are strong, so a strong comparison only rejects tags with `W/`. */
function hasTag(list: string, { etag }: Version, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  const tags: readonly string[] = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.includes(`"${etag}"`) || (comparison === 'weak' && tags.includes(`W/"${etag}"`));
}

/** Undefined for a missing or invalid date, which is ignored. */
function isModifiedSince(date: string | undefined, { modifiedAt }: Version): boolean | undefined {
  const since = Date.parse(date ?? '');
  return Number.isNaN(since) ? undefined : wholeSeconds(modifiedAt) > since;
}

/** HTTP dates have no milliseconds. */
const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1000) * 1000;
