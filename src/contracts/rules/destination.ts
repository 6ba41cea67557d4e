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

export const isId = (text: string): boolean => !['', '.', '..'].includes(text);

export const buildDestination = ({ employerId, jobId }: Destination) => `${PREFIX}${employerId}-${jobId}`;

/** The link template without DESTINATION_URL. */
export const DEFAULT_DESTINATION_URL = 'https://ats.example.com/employers/{employerId}/jobs/{jobId}';

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
