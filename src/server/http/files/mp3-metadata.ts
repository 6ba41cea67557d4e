import { type Bytes, blank, type Patch, readAt } from './patches.ts';

const HEADER_BYTES = 10;
const FLAGS = 5;
const HAS_FOOTER = 0x10;
/** Programs put theirs in front of the others. */
const MAX_TAGS = 16;
const LAST_TAG_BYTES = 128;

/** True for ID3v2, or a frame of MPEG audio layer III (ISO/IEC 11172-3, 2.4.2.3). */
export const isMp3 = (start: Buffer): boolean =>
  isTag(start) || (start[0] === 0xff && ((start[1] ?? 0) & 0xe6) === 0xe2);

/** Empties ID3 tags: ID3v2 at the start of an MP3, and ID3v1 at its end (https://id3.org). */
export async function findInMp3(opened: Bytes): Promise<Patch[]> {
  const patches: Patch[] = [];
  for (let at = 0, count = 0; count < MAX_TAGS; count += 1) {
    const header = await readAt(opened, at, HEADER_BYTES);
    if (header.length < HEADER_BYTES || !isTag(header)) break;
    const length = header.subarray(FLAGS + 1).reduce((sum, byte) => sum * 128 + byte, 0);
    const body = at + HEADER_BYTES;
    const end = body + length + ((header[FLAGS] ?? 0) & HAS_FOOTER ? HEADER_BYTES : 0);
    patches.push(blank(at + FLAGS, at + FLAGS + 1), blank(body, end));
    at = end;
  }
  const { size } = opened.file;
  const last = await readAt(opened, Math.max(0, size - LAST_TAG_BYTES), 3);
  return last.toString('latin1') === 'TAG' ? [...patches, blank(size - LAST_TAG_BYTES, size)] : patches;
}

const isTag = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 3) === 'ID3';
