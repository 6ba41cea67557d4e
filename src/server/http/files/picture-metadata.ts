import { crc32 } from 'node:zlib';
import { type Bytes, blank, load, type Patch, readAt } from './patches.ts';

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const RIFF = Buffer.from('RIFF');
const MAX_PARTS = 4_096;
const MAX_LOADED_BYTES = 8 * 2 ** 20;

/** Finds metadata in JPEG, PNG and WebP. */
export async function findInPicture(file: Bytes): Promise<Patch[]> {
  const { size } = file.file;
  const opened = size <= MAX_LOADED_BYTES ? await load(file, { start: 0, end: size }) : file;
  const first = await readAt(opened, 0, PNG.length);
  if (first.subarray(0, JPEG.length).equals(JPEG)) return await findInJpeg(opened);
  if (first.equals(PNG)) return await findInPng(opened);
  return first.subarray(0, RIFF.length).equals(RIFF) ? await findInWebp(opened) : [];
}

const COMMENT = 0xfe;
/** Any number of them may precede a marker. */
const FILL = 0xff;
/** From here on, segments are the picture. */
const SCAN = 0xda;

/**
 * Exif, XMP, IPTC and comments, but not the segments that decide about colors (APP0, APP2, APP14).
 */
async function findInJpeg(opened: Bytes): Promise<Patch[]> {
  const patches: Patch[] = [];
  for (let at = 2, count = 0; count < MAX_PARTS; count += 1) {
    const header = await readAt(opened, at, 4);
    if (header.length < 4 || header[0] !== 0xff || header[1] === SCAN) break;
    const [, marker = 0] = header;
    if (marker === FILL) {
      at += 1;
      continue;
    }
    const end = at + 2 + header.readUInt16BE(2);
    const application = marker - 0xe0;
    const isMetadata =
      (application > 0 && application < 16 && application !== 2 && application !== 14) || marker === COMMENT;
    if (isMetadata) patches.push(blank(at + 4, end));
    at = end;
  }
  return patches;
}

const PNG_TEXTS = ['tEXt', 'zTXt', 'iTXt', 'eXIf'];
/** A private chunk, which every program skips. Four letters, each with a meaning. */
const PRIVATE = Buffer.from('prVt');

/** Empties text chunks, with the checksum of the empty ones. */
async function findInPng(opened: Bytes): Promise<Patch[]> {
  const patches: Patch[] = [];
  for (let at = PNG.length, count = 0; count < MAX_PARTS; count += 1) {
    const header = await readAt(opened, at, 8);
    const length = header.length < 8 ? opened.file.size : header.readUInt32BE(0);
    const end = at + 8 + length;
    if (end + 4 > opened.file.size) break;
    if (PNG_TEXTS.includes(header.toString('latin1', 4))) {
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(Buffer.concat([PRIVATE, Buffer.alloc(length)])));
      patches.push({ start: at + 4, end, bytes: PRIVATE }, { start: end, end: end + 4, bytes: sum });
    }
    at = end + 4;
  }
  return patches;
}

const WEBP_TEXTS = ['EXIF', 'XMP '];

async function findInWebp(opened: Bytes): Promise<Patch[]> {
  const patches: Patch[] = [];
  for (let at = 12, count = 0; count < MAX_PARTS; count += 1) {
    const header = await readAt(opened, at, 8);
    if (header.length < 8) break;
    const length = header.readUInt32LE(4);
    if (WEBP_TEXTS.includes(header.toString('latin1', 0, 4))) patches.push(blank(at + 8, at + 8 + length));
    // Chunks have an even length.
    at += 8 + length + (length % 2);
  }
  return patches;
}
