import type { ReadableFile } from '#server/ports/file-store.ts';

/** No table of a real recording is larger; a broken file may claim anything. */
const LONGEST_READ = 64 * 2 ** 20;

/**
 * The bytes from `start` to before `end`. Null where the file ends early, and for more than a sound file could ask for at once.
 * @throws FileStoreError
 */
export async function readFully(
  file: ReadableFile,
  start: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (start < 0 || end < start || end - start > LONGEST_READ) return null;
  const bytes = new Uint8Array(end - start);
  for (let filled = 0; filled < bytes.length; ) {
    const read = await file.read(bytes.subarray(filled), start + filled);
    if (read === 0) return null;
    filled += read;
  }
  return bytes;
}
