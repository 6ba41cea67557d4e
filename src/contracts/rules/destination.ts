const PREFIX = 'BUB-';

/** A job in the ATS. */
export interface Destination {
  employerId: string;
  jobId: string;
}

/**
 * Splits a destination id at the first hyphen after `BUB-`: employer ids never contain one, job ids
 * often do (`BUB-ACME-2026-07` is job `2026-07` at `ACME`). Null when it is not a destination id.
 * `.` and `..` are rejected: they change the path of the link, and percent-encoding keeps
 * them.
 */
export function parseDestination(id: string): Destination | null {
  if (!id.startsWith(PREFIX)) return null;
  const rest = id.slice(PREFIX.length);
  const hyphen = rest.indexOf('-');
  const [employerId, jobId] = [rest.slice(0, Math.max(hyphen, 0)).trim(), rest.slice(hyphen + 1).trim()];
  return isId(employerId) && isId(jobId) ? { employerId, jobId } : null;
}

const isId = (text: string): boolean => !['', '.', '..'].includes(text);

export const buildDestination = ({ employerId, jobId }: Destination) => `${PREFIX}${employerId}-${jobId}`;

/** The link template without DESTINATION_URL. */
export const DEFAULT_DESTINATION_URL = 'https://ats.example.com/employers/{employerId}/jobs/{jobId}';

/**
 * Splits a pasted destination id, or a pasted link of this template. Null when it is neither.
 */
export function splitDestination(pasted: string, template: string = DEFAULT_DESTINATION_URL): Destination | null {
  const text = pasted.trim();
  const destination = parseDestination(text) ?? readLink(text, template);
  // An employer id from a link may contain a hyphen, which would move the rest to the job id.
  const same = destination && parseDestination(buildDestination(destination));
  return same?.employerId === destination?.employerId ? destination : null;
}

/** The end of an id in a link, unless the template has another text there. */
const AFTER_ID = /[/?#&]|$/;

function readLink(link: string, template: string): Destination | null {
  const [start = '', ...parts] = template.split(/\{(employerId|jobId)\}/);
  if (!link.toLowerCase().startsWith(start.toLowerCase())) return null;
  let rest = link.slice(start.length);
  const ids: Record<string, string> = {};
  for (let at = 0; at < parts.length; at += 2) {
    const [name = '', text = ''] = parts.slice(at, at + 2);
    const end = text === '' ? rest.search(AFTER_ID) : rest.indexOf(text);
    if (end < 0) return null;
    ids[name] ??= decode(rest.slice(0, end));
    rest = rest.slice(end + text.length);
  }
  const { employerId = '', jobId = '' } = ids;
  return isId(employerId) && isId(jobId) ? { employerId, jobId } : null;
}

/** Returns an empty text when it is not percent-encoded correctly. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part).trim();
  } catch {
    return '';
  }
}

/**
 * Replaces `{employerId}` and `{jobId}`, percent-encoded. Null when the id is not a destination id.
 */
export function destinationUrl(id: string, template: string = DEFAULT_DESTINATION_URL): string | null {
  const destination = parseDestination(id);
  if (!destination) return null;
  return template
    .replaceAll('{employerId}', encodeURIComponent(destination.employerId))
    .replaceAll('{jobId}', encodeURIComponent(destination.jobId));
}
