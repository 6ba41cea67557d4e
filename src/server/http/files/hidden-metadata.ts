import { LRUCache } from 'lru-cache';
import type { ReadableFile } from '#server/ports/file-store.ts';
import { findInBoxes } from './box-metadata.ts';
import { EBML, findInMatroska } from './matroska-metadata.ts';
import { applyPatch, blank, type Patch, readAt } from './patches.ts';

const MAX_FILES = 1_000;
const patchesOfFiles = new LRUCache<string, readonly Patch[]>({ max: MAX_FILES });

/**
 * Blanks titles, names, places and comments in the file's metadata (MP4, QuickTime, WebM and JPEG)
 * without moving any bytes. Returns `opened` for a file without metadata. Sound and picture are
 * unchanged.
 * @param key identifies the content
 */
export async function hideMetadata(opened: ReadableFile, key: string): Promise<ReadableFile> {
  const patches = patchesOfFiles.get(key) ?? (await findMetadata(opened));
  patchesOfFiles.set(key, patches);
  if (patches.length === 0) return opened;
  return {
    file: opened.file,
    async read(buffer, position, end) {
      const length = await opened.read(buffer, position, end);
      for (const patch of patches) applyPatch(patch, buffer.subarray(0, length), position);
      return length;
    },
    close: () => opened.close(),
  };
}

async function findMetadata(opened: ReadableFile): Promise<readonly Patch[]> {
  const first = await readAt(opened, 0, 4);
  if (first.equals(EBML)) return await findInMatroska(opened);
  return first.subarray(0, 3).equals(JPEG) ? await findInJpeg(opened) : await findInBoxes(opened);
}

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const MAX_SEGMENTS = 256;
const COMMENT = 0xfe;
/** From here on, segments are the picture. */
const SCAN = 0xda;

/**
 * Exif, XMP, IPTC and comments, but not the segments that decide about colors (APP0, APP2, APP14).
 */
async function findInJpeg(opened: ReadableFile): Promise<Patch[]> {
  const patches: Patch[] = [];
  for (let at = 2, count = 0; count < MAX_SEGMENTS; count += 1) {
    const header = await readAt(opened, at, 4);
    if (header.length < 4 || header[0] !== 0xff || header[1] === SCAN) break;
    const [, marker = 0] = header;
    const end = at + 2 + header.readUInt16BE(2);
    const application = marker - 0xe0;
    const isMetadata =
      (application > 0 && application < 16 && application !== 2 && application !== 14) || marker === COMMENT;
    if (isMetadata) patches.push(blank(at + 4, end));
    at = end;
  }
  return patches;
}
