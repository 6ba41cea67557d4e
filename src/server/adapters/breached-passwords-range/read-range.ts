import { UpstreamError } from '#server/ports/upstream-error.ts';

/** The rest of a SHA-1 hash and how often its password was found. */
const LINE = /^([0-9a-f]{35}):(\d{1,15})$/i;

/**
 * Whether a range names the rest of a hash. Lines with a count of 0 are padding.
 * @throws UpstreamError `bad_answer` for anything that is no range, such as the page of a proxy
 */
export function isListed(range: string, rest: string): boolean {
  const lines = range.split('\n').map((line) => LINE.exec(line.trim()) ?? line.trim());
  if (lines.some((line) => typeof line === 'string' && line !== ''))
    throw new UpstreamError('breached passwords', 'bad_answer', 'What answers is no service of breached passwords.');
  return lines.some((line) => line[1]?.toUpperCase() === rest.toUpperCase() && Number(line[2]) > 0);
}
