import { LONGEST_SECONDS } from '#contracts/interviews.ts';
import type { FileStore } from '#server/ports/file-store.ts';
import type { MediaInspector } from '#server/ports/media-inspector.ts';
import { InspectionThread } from './inspection-thread.ts';

export interface InspectorOptions {
  files: FileStore;
  /** A file that takes longer says nothing of its length. */
  limitMs?: number;
}

/** Reads lengths from mp4, mov, webm and mkv files: their headers only, and the end of files that have none. */
export function mediabunnyInspector({ files, limitMs = 10_000 }: InspectorOptions): MediaInspector {
  const thread = new InspectionThread(limitMs);
  return {
    async durationSeconds(videoName) {
      const file = await files.open('video', videoName).catch(() => null);
      if (!file) return null;
      try {
        return believable(await thread.durationOf(file));
      } finally {
        await file.close();
      }
    },
  };
}

/** Whole seconds, at least one; null for what cannot be the length of a recording. */
function believable(seconds: number | null): number | null {
  if (seconds === null || !(seconds > 0) || seconds > LONGEST_SECONDS) return null;
  return Math.max(1, Math.round(seconds));
}
