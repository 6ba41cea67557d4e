import type { ScanVerdict } from '#server/ports/file-scanner.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';

const LONGEST_NAME = 200;

/**
 * Reads clamd's answer to INSTREAM (https://docs.clamav.net/manual/Usage/Scanning.html#clamd): `stream: OK`, `stream: NAME FOUND`, or
 * a text that ends with `ERROR`.
 * @throws UpstreamError `bad_answer` for everything that is no verdict on the whole file
 */
export function readVerdict(line: string): ScanVerdict {
  if (line === 'stream: OK') return { status: 'clean' };
  const virus = /^stream: (.+) FOUND$/.exec(line)?.[1];
  // With AlertExceedsMax it says so of what it did not look into, and that is no virus.
  if (virus === undefined || virus.startsWith('Heuristics.Limits.Exceeded')) throw notLookedInto(line);
  return { status: 'infected', virus: virus.slice(0, LONGEST_NAME) };
}

function notLookedInto(line: string): UpstreamError {
  const said = line.replace(/^stream: /, '').slice(0, LONGEST_NAME);
  const advice = /size limit|Limits\.Exceeded/i.test(line)
    ? ' An administrator can raise StreamMaxLength, MaxFileSize and MaxScanSize in clamd.conf, or lower MAX_VIDEO_BYTES.'
    : '';
  return new UpstreamError(
    'scanner',
    'bad_answer',
    `The virus scanner could not look into this file (${said}).${advice}`,
  );
}
