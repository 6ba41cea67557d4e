import { buildDestination, DEFAULT_DESTINATION_URL, type Destination, isId, parseDestination } from './destination.ts';

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
