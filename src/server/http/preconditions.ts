import type { IncomingHttpHeaders } from 'node:http';
import type { StoredFile } from '../ports/file-store.ts';

/** What is compared: the version of a file that we would send. */
type Version = Pick<StoredFile, 'etag' | 'modifiedAt'>;

/** Decides about the conditional headers of a GET or HEAD in the order of RFC 9110, section 13.2.2. */
export function checkPreconditions(headers: IncomingHttpHeaders, version: Version): 'send' | 'not_modified' | 'failed' {
  if (headers['if-match'] !== undefined) {
    if (!names(headers['if-match'], version, 'strong')) return 'failed';
  } else if (modifiedSince(headers['if-unmodified-since'], version) === true) {
    return 'failed';
  }
  if (headers['if-none-match'] !== undefined) {
    return names(headers['if-none-match'], version, 'weak') ? 'not_modified' : 'send';
  }
  return modifiedSince(headers['if-modified-since'], version) === false ? 'not_modified' : 'send';
}

/** `If-Range`: a range goes on with what the client has only when the file is still the same (RFC 9110, section 13.1.5). */
export function rangeApplies(ifRange: string | undefined, version: Version): boolean {
  if (ifRange === undefined) return true;
  if (ifRange.includes('"')) return ifRange.trim() === `"${version.etag}"`;
  return Date.parse(ifRange) === wholeSeconds(version.modifiedAt);
}

/** True when a list of entity tags, or `*`, names this version. Ours are strong, so only a strong comparison refuses `W/`. */
function names(list: string, { etag }: Version, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  const tags: readonly string[] = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.includes(`"${etag}"`) || (comparison === 'weak' && tags.includes(`W/"${etag}"`));
}

/** Undefined when there is no date or it cannot be read: then the header does not count. */
function modifiedSince(date: string | undefined, { modifiedAt }: Version): boolean | undefined {
  const since = Date.parse(date ?? '');
  return Number.isNaN(since) ? undefined : wholeSeconds(modifiedAt) > since;
}

/** HTTP dates carry no milliseconds. */
const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1000) * 1000;
