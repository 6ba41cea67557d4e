import { type Bytes, blank, load, type Patch, readAt } from './patches.ts';

/** A box of ISO/IEC 14496-12, or an atom of QuickTime. `end` is exclusive. */
interface Box {
  type: string;
  start: number;
  body: number;
  end: number;
}

const MAX_HEADER_BYTES = 16;
/** A bucket needs a request for each. A fragment has two. */
const MAX_TOP_BOXES = 512;
/** Inside of others: a recording has a few thousand. */
const MAX_INNER_BOXES = 10_000;
/** Only the headers of larger containers are read. */
const MAX_LOADED_BYTES = 8 * 2 ** 20;
const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'moof', 'traf'];
/** `free` and `skip` may contain data that a tool has removed from the others. */
const METADATA = ['udta', 'meta', 'uuid', 'free', 'skip'];
/** The fields of a handler in front of its name. */
const HANDLER_BYTES = 24;
const FREE = Buffer.from('free');

/** Finds metadata in MP4 and QuickTime. */
export async function findInBoxes(opened: Bytes): Promise<Patch[]> {
  const patches: Patch[] = [];
  const whole = { start: 0, end: opened.file.size };
  const inner = { left: MAX_INNER_BOXES };
  for await (const box of boxesIn(opened, whole, { left: MAX_TOP_BOXES })) await search(opened, box);
  return patches;

  async function search(from: Bytes, box: Box): Promise<void> {
    patches.push(...patchesOf(box));
    if (!CONTAINERS.includes(box.type)) return;
    const inside = { start: box.body, end: box.end };
    const canLoad = from === opened && box.end - box.body <= MAX_LOADED_BYTES;
    const bytes = canLoad ? await load(from, inside) : from;
    for await (const child of boxesIn(bytes, inside, inner)) await search(bytes, child);
  }
}

/** @param limit the number of boxes that may still be read */
async function* boxesIn(
  from: Bytes,
  { start, end }: { start: number; end: number },
  limit: { left: number },
): AsyncGenerator<Box> {
  for (let at = start; at < end && limit.left > 0; limit.left -= 1) {
    const box = boxAt(await readAt(from, at, MAX_HEADER_BYTES), { start: at, limit: end });
    if (box === null) return;
    yield box;
    at = box.end;
  }
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

/** Turns metadata into free space, which every player skips, and empties the names of handlers. */
function patchesOf({ type, start, body, end }: Box): Patch[] {
  if (type === 'hdlr') return [blank(Math.min(body + HANDLER_BYTES, end), end)];
  if (!METADATA.includes(type)) return [];
  return [{ start: start + 4, end: start + 8, bytes: FREE }, blank(body, end)];
}
