import type { FileStore, ReadableFile } from '#server/ports/file-store.ts';
import { UnreadableRecording } from '#server/ports/recordings.ts';

/** @throws UnreadableRecording, FileStoreError */
export async function openVideo(files: FileStore, name: string): Promise<ReadableFile> {
  const file = await files.open('video', name);
  if (!file) throw new UnreadableRecording('This recording is no longer in the file store.');
  return file;
}

/**
 * Stores a video under `name`, written as `baseName`. Replaces the rest of an interrupted one, and
 * removes what was written when that fails.
 */
export async function storeVideo(
  files: FileStore,
  { baseName, name }: { baseName: string; name: string },
  read: () => AsyncIterable<Uint8Array>,
): Promise<void> {
  const partial = await files.resume('video', baseName);
  try {
    if (partial.size > 0) await partial.truncate();
    for await (const chunk of read()) await partial.append(chunk);
    await partial.commit(name);
  } catch (error) {
    await partial.truncate().catch(() => {});
    throw error;
  } finally {
    await partial.close();
  }
}
