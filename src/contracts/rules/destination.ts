const PREFIX = 'BUB-';

/** A job application in the ATS. */
export interface Destination {
  employerId: string;
  jobId: string;
}

/**
 * Splits a destination id at the first hyphen after `BUB-`: employer ids never contain one, job ids often do
 * (`BUB-ACME-2026-07` is job `2026-07` at `ACME`). Null when it is not a destination id.
 */
export function parseDestination(id: string): Destination | null {
  if (!id.startsWith(PREFIX)) return null;
  const rest = id.slice(PREFIX.length);
  const hyphen = rest.indexOf('-');
  const [employerId, jobId] = [rest.slice(0, Math.max(hyphen, 0)).trim(), rest.slice(hyphen + 1).trim()];
  return employerId && jobId ? { employerId, jobId } : null;
}

/** The destination id of a job application: `BUB-`, the employer id, a hyphen, the job id. */
export const buildDestination = ({ employerId, jobId }: Destination) => `${PREFIX}${employerId}-${jobId}`;

/** The application link when the installation sets none (`DESTINATION_URL`). */
export const DEFAULT_DESTINATION_URL = 'https://ats.example.com/employers/{employerId}/jobs/{jobId}';

/** Fills `{employerId}` and `{jobId}` of a link template, percent-encoded. Null when the id does not parse. */
export function destinationUrl(id: string, template: string = DEFAULT_DESTINATION_URL): string | null {
  const destination = parseDestination(id);
  if (!destination) return null;
  return template
    .replaceAll('{employerId}', encodeURIComponent(destination.employerId))
    .replaceAll('{jobId}', encodeURIComponent(destination.jobId));
}
