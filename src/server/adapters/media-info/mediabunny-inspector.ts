import { MAX_DURATION_SECONDS } from '#contracts/rules/limits.ts';
import { MediaThread } from '#server/adapters/media-thread/media-thread.ts';
import type { FileStore, ReadableFile } from '#server/ports/file-store.ts';
import type { MediaInspector } from '#server/ports/media-inspector.ts';

export interface InspectorOptions {
  files: FileStore;
  /** Time limit per file. */
  limitMs?: number;
}

/**
 * Reads the lengths of mp4, mov, webm and mkv files from their headers, or from the end of files
 * without one.
 */
export function mediabunnyInspector({ files, limitMs = 10_000 }: InspectorOptions): MediaInspector {
  const thread = new MediaThread(new URL('./inspection.worker.ts', import.meta.url), limitMs);
  return {
    async durationSeconds(videoName) {
      const file = await files.open('video', videoName).catch(() => null);
      if (!file) return null;
      try {
        return toDuration(await durationOf(file));
      } catch {
        return null;
      } finally {
        await file.close();
      }
    },
  };

  async function durationOf(file: ReadableFile): Promise<number | null> {
    const opened = await thread.open(file);
    try {
      // The limit covers the whole call, even if it makes progress, because a refresh waits for it.
      return (await opened.runTask('duration', null, AbortSignal.timeout(limitMs))) as number | null;
    } finally {
      await opened.close();
    }
  }
}

/**
 * Returns whole seconds, at least one, or null for a value that cannot be the length of a
 * recording.
 */
function toDuration(seconds: number | null): number | null {
  if (seconds === null || !(seconds > 0) || seconds > MAX_DURATION_SECONDS) return null;
  return Math.max(1, Math.round(seconds));
}
