import { LONGEST_SECONDS } from '#contracts/rules/limits.ts';
import type { FileStore, ReadableFile } from '#server/ports/file-store.ts';
import type { MediaInspector } from '#server/ports/media-inspector.ts';
import { MediaThread } from '../media-thread/media-thread.ts';

export interface InspectorOptions {
  files: FileStore;
  /** A file that takes longer says nothing of its length. */
  limitMs?: number;
}

/** Reads lengths from mp4, mov, webm and mkv files: their headers only, and the end of files that have none. */
export function mediabunnyInspector({ files, limitMs = 10_000 }: InspectorOptions): MediaInspector {
  const thread = new MediaThread(new URL('./inspection.worker.ts', import.meta.url), limitMs);
  return {
    async durationSeconds(videoName) {
      const file = await files.open('video', videoName).catch(() => null);
      if (!file) return null;
      try {
        return believable(await durationOf(file));
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
      // A refresh waits for the answer: the limit holds for all of it, however well it gets on.
      return (await opened.ask('duration', null, AbortSignal.timeout(limitMs))) as number | null;
    } finally {
      await opened.close();
    }
  }
}

/** Whole seconds, at least one; null for what cannot be the length of a recording. */
function believable(seconds: number | null): number | null {
  if (seconds === null || !(seconds > 0) || seconds > LONGEST_SECONDS) return null;
  return Math.max(1, Math.round(seconds));
}
