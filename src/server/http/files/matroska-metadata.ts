import { type Bytes, blank, type Patch, readAt } from './patches.ts';

/** The first bytes of WebM and Matroska (RFC 8794 and RFC 9559). */
export const EBML = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);
const SEGMENT = 0x18538067;
const SEEK_HEAD = 0x114d9b74;
const [SEEK, SEEK_POSITION] = [0x4dbb, 0x53ac];
const CLUSTER = 0x1f43b675;
/** Chapters, tags and attachments, sent as space. */
const REMOVED = [0x1043a770, 0x1254c367, 0x1941a469];
/** Information, tracks and indexes, which contain texts or positions among other fields. */
const READ = [0x1549a966, 0x1654ae6b, SEEK_HEAD];
const TRACK_ENTRY = 0xae;
/** Titles and names of files and tracks. */
const TEXTS = [0x7ba9, 0x7384, 0x3c83ab, 0x3e83bb, 0x536e];
/** A checksum of its parent, sent as space. */
const CHECKSUM = 0xbf;
const CHECKSUM_BYTES = 6;
const EMPTY_CHECKSUM = Buffer.from([0xec, 0x84]);
const PARENTS = [SEEK, TRACK_ENTRY];

const MAX_HEADER_BYTES = 12;
const MAX_ELEMENTS = 64;
/** The limit for one element. A recording has dozens. */
const MAX_FIELDS = 1_000;
const MAX_LOADED_BYTES = 2 ** 20;
/** The identifier, and eight bytes for the length. */
const VOID_HEADER_BYTES = 9;

/** `end` is exclusive, and the end of the file for an element of unknown length. */
interface Element {
  id: number;
  start: number;
  body: number;
  end: number;
  hasLength: boolean;
}

/**
 * Finds metadata before the recording, and metadata after it if the file's index lists it.
 */
export async function findInMatroska(opened: Bytes): Promise<Patch[]> {
  const { size } = opened.file;
  const elementAt = async (start: number) =>
    readElement(await readAt(opened, start, MAX_HEADER_BYTES), { start, limit: size });
  const head = await elementAt(0);
  const segment = head && (await elementAt(head.end));
  if (segment?.id !== SEGMENT) return [];
  const patches: Patch[] = [];
  const elsewhere = new Set<number>();
  const inspect = async (element: Element) => {
    if (!element.hasLength) return;
    if (REMOVED.includes(element.id)) patches.push(...space(element));
    for (const found of await fieldsOf(opened, element)) {
      patches.push(...patchesOf(found));
      if (found.id === SEEK_POSITION && elsewhere.size < MAX_ELEMENTS)
        elsewhere.add(segment.body + numberIn(await readAt(opened, found.body, found.end - found.body)));
    }
  };
  let at = segment.body;
  for (let count = 0; count < MAX_ELEMENTS; count += 1) {
    const element = await elementAt(at);
    if (element === null || element.id === CLUSTER) break;
    await inspect(element);
    at = element.end;
  }
  // A second index adds positions while this runs.
  for (const start of elsewhere) {
    const element = start >= at ? await elementAt(start) : null;
    if (element) await inspect(element);
  }
  return patches;
}

/** The fields of an element that has texts or positions. */
async function fieldsOf(opened: Bytes, { id, start, body, end }: Element): Promise<Element[]> {
  if (!READ.includes(id) || end - start > MAX_LOADED_BYTES) return [];
  return [...elementsIn(await readAt(opened, body, end - body), body).take(MAX_FIELDS)];
}

function patchesOf({ id, start, body, end }: Element): Patch[] {
  if (TEXTS.includes(id)) return [blank(body, end)];
  return id === CHECKSUM && end - start === CHECKSUM_BYTES ? [{ start, end, bytes: EMPTY_CHECKSUM }] : [];
}

const numberIn = (bytes: Buffer): number => Number.parseInt(bytes.toString('hex') || '0', 16);

/** @param base the position of `bytes` in the file */
function* elementsIn(bytes: Buffer, base: number): Generator<Element> {
  const limit = base + bytes.length;
  for (let at = base; at < limit; ) {
    const element = readElement(bytes.subarray(at - base, at - base + MAX_HEADER_BYTES), { start: at, limit });
    if (element === null) return;
    if (PARENTS.includes(element.id)) at = element.body;
    else {
      yield element;
      at = element.end;
    }
  }
}

/** @param header the first bytes of the element */
function readElement(header: Buffer, { start, limit }: { start: number; limit: number }): Element | null {
  const idBytes = lengthOfNumber(header[0]);
  const sizeBytes = lengthOfNumber(header[idBytes]);
  const body = start + idBytes + sizeBytes;
  if (idBytes > 4 || sizeBytes > 8 || header.length < idBytes + sizeBytes) return null;
  const id = numberIn(header.subarray(0, idBytes));
  const marked = BigInt(`0x${header.toString('hex', idBytes, idBytes + sizeBytes)}`);
  const size = marked & (2n ** BigInt(7 * sizeBytes) - 1n);
  const isUnknown = size === 2n ** BigInt(7 * sizeBytes) - 1n;
  const end = isUnknown ? limit : body + Number(size);
  return end > limit ? null : { id, start, body, end, hasLength: !isUnknown };
}

/** The number of leading zero bits is the number of further bytes (RFC 8794, section 4). */
const lengthOfNumber = (first = 0): number => Math.clz32(first) - 23;

/** Replaces an element by a Void element of the same length (RFC 8794, section 11.3.2). */
function space({ start, end }: Element): Patch[] {
  const rest = end - start - VOID_HEADER_BYTES;
  if (rest < 0) return [blank(start, end)];
  const bytes = Buffer.alloc(VOID_HEADER_BYTES, 0xec);
  bytes.writeBigUInt64BE((1n << 56n) | BigInt(rest), 1);
  return [{ start, end, bytes }];
}
