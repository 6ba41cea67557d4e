import type { ReadableFile } from '#server/ports/file-store.ts';
import { blank, type Patch, readAt } from './patches.ts';

/** A box of ISO/IEC 14496-12, or an atom of QuickTime. `end` is exclusive. */
interface Box {
  type: string;
  start: number;
  body: number;
  end: number;
}

const MAX_HEADER_BYTES = 16;
/** A bucket needs a request for each. Fragmented files have many, with the metadata in front of them. */
const MAX_TOP_BOXES = 64;
const MAX_MOVIE_BYTES = 64 * 2 ** 20;
const CONTAINERS = ['moov', 'trak', 'mdia', 'minf'];
/** `free` and `skip` may contain data that a tool has removed from the others. */
const METADATA = ['udta', 'meta', 'uuid', 'free', 'skip'];
/** The fields of a handler in front of its name. */
const HANDLER_BYTES = 24;
const FREE = Buffer.from('free');

/** Finds metadata in MP4 and QuickTime. */
export async function findInBoxes(opened: ReadableFile): Promise<Patch[]> {
  const { size } = opened.file;
  const patches: Patch[] = [];
  for (let start = 0, count = 0; start < size && count < MAX_TOP_BOXES; count += 1) {
    const box = boxAt(await readAt(opened, start, MAX_HEADER_BYTES), { start, limit: size });
    if (box === null) break;
    if (box.type === 'moov' && box.end - start <= MAX_MOVIE_BYTES)
      patches.push(...findInMovie(await readAt(opened, start, box.end - start), start));
    else patches.push(...patchesOf(box));
    start = box.end;
  }
  return patches;
}

/** @param header the first bytes of the box */
function boxAt(header: Buffer, { start, limit }: { start: number; limit: number }): Box | null {
  if (header.length < 8) return null;
  const type = header.toString('latin1', 4, 8);
  const short = header.readUInt32BE(0);
  const isLong = short === 1 && header.length >= MAX_HEADER_BYTES;
  const size = isLong ? Number(header.readBigUInt64BE(8)) : short === 0 ? limit - start : short;
  const headerBytes = isLong ? MAX_HEADER_BYTES : 8;
  return size < headerBytes || start + size > limit
    ? null
    : { type, start, body: start + headerBytes, end: start + size };
}

/** @param base the position of `bytes` in the file */
function findInMovie(bytes: Buffer, base: number): Patch[] {
  const patches: Patch[] = [];
  const visit = (from: number, to: number) => {
    for (let at = from; at < to; ) {
      const header = bytes.subarray(at - base, at - base + MAX_HEADER_BYTES);
      const box = boxAt(header, { start: at, limit: to });
      if (box === null) return;
      if (CONTAINERS.includes(box.type)) visit(box.body, box.end);
      else patches.push(...patchesOf(box));
      at = box.end;
    }
  };
  visit(base, base + bytes.length);
  return patches;
}

/** Turns metadata into free space, which every player skips, and empties the names of handlers. */
function patchesOf({ type, start, body, end }: Box): Patch[] {
  if (type === 'hdlr') return [blank(Math.min(body + HANDLER_BYTES, end), end)];
  if (!METADATA.includes(type)) return [];
  return [{ start: start + 4, end: start + 8, bytes: FREE }, blank(body, end)];
}
