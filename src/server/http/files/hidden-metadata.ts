import { LRUCache } from 'lru-cache';
import type { FileKind, ReadableFile } from '#server/ports/file-store.ts';
import { findInBoxes } from './box-metadata.ts';
import { EBML, findInMatroska } from './matroska-metadata.ts';
import { findInMp3, isMp3 } from './mp3-metadata.ts';
import { applyPatch, type Patch, readAt } from './patches.ts';
import { findInPicture } from './picture-metadata.ts';

const MAX_FILES = 1_000;
/** Requests for the same file wait for one search. */
const patchesOfFiles = new LRUCache<string, Promise<readonly Patch[]>>({ max: MAX_FILES });

/**
 * Blanks titles, names, places and comments in the file's metadata (MP4, QuickTime, WebM, MP3,
 * JPEG, PNG and WebP) without moving any bytes. Returns `opened` for a file without metadata.
 * Sound and picture are unchanged. Closes a file that cannot be read.
 */
export async function hideMetadata(
  opened: ReadableFile,
  { kind, name }: { kind: FileKind; name: string },
): Promise<ReadableFile> {
  const key = `${kind} ${name} ${opened.file.etag}`;
  const find = kind === 'video' ? findInVideo : findInPicture;
  const finding = patchesOfFiles.get(key) ?? find(opened);
  patchesOfFiles.set(key, finding);
  const patches = await finding.catch(async (error) => {
    patchesOfFiles.delete(key);
    await opened.close();
    throw error;
  });
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

async function findInVideo(opened: ReadableFile): Promise<readonly Patch[]> {
  const start = await readAt(opened, 0, EBML.length);
  if (start.equals(EBML)) return await findInMatroska(opened);
  return isMp3(start) ? await findInMp3(opened) : await findInBoxes(opened);
}
