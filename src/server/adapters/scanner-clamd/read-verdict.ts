import type { ScanVerdict } from '#server/ports/file-scanner.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';

const MAX_NAME_LENGTH = 200;

/**
 * Reads clamd's response to INSTREAM (https://docs.clamav.net/manual/Usage/Scanning.html#clamd):
 * `stream: OK`, `stream: NAME FOUND`, or a text that ends with `ERROR`.
 * @throws UpstreamError `bad_response` for everything that is not a verdict on the whole file
 */
export function readVerdict(line: string): ScanVerdict {
  if (line === 'stream: OK') return { status: 'clean' };
  const virus = /^stream: (.+) FOUND$/.exec(line)?.[1];
  // With AlertExceedsMax clamd reports unscanned files this way; that is not a virus.
  if (virus === undefined || virus.startsWith('Heuristics.Limits.Exceeded')) throw notScannedInto(line);
  return { status: 'infected', virus: virus.slice(0, MAX_NAME_LENGTH) };
}

function notScannedInto(line: string): UpstreamError {
  const reported = line.replace(/^stream: /, '').slice(0, MAX_NAME_LENGTH);
  const advice = /size limit|Limits\.Exceeded/i.test(line)
    ? ' Ask an admin to raise StreamMaxLength, MaxFileSize and MaxScanSize in clamd.conf, or to lower MAX_VIDEO_BYTES.'
    : '';
  return new UpstreamError(
    'scanner',
    'bad_response',
    `The virus scanner couldn't scan this file (${reported}).${advice}`,
  );
}
