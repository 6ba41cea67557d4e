import { MediaThread } from '#server/adapters/media-thread/media-thread.ts';
import type { FileStore } from '#server/ports/file-store.ts';
import type { MediaInspector } from '#server/ports/media-inspector.ts';
import type { AudioPart, RecordingContent, Recordings } from '#server/ports/recordings.ts';
import { joinRecordings } from './join-recordings.ts';
import type { PartLimits } from './part-cut.ts';
import { openVideo } from './video-files.ts';

export interface RecordingsOptions {
  files: FileStore;
  /** A recording without progress for this long counts as damaged. */
  limitMs?: number;
  maxPartBytes?: number;
  maxPartSeconds?: number;
}

const LIMIT_MS = 30_000;
/**
 * Limits `durationSeconds` from the start of its thread, even if it makes progress, because a
 * refresh waits for it.
 */
const DURATION_LIMIT_MS = 10_000;
const MAX_PART_BYTES = 15_000_000;
const MAX_PART_SECONDS = 20 * 60;
const SCRIPT = new URL('./recordings.worker.ts', import.meta.url);

/**
 * Reads recordings with mediabunny in worker threads. Sound is copied packet by packet, never
 * decoded.
 */
export function mediabunnyRecordings({
  files,
  limitMs = LIMIT_MS,
  maxPartBytes = MAX_PART_BYTES,
  maxPartSeconds = MAX_PART_SECONDS,
}: RecordingsOptions): Recordings & MediaInspector {
  const newThread = () => new MediaThread(SCRIPT, limitMs);
  /**
   * Starting a thread takes longer than cutting a short recording, so threads are reused; idle ones
   * end.
   */
  const free = [newThread()];
  /** Shared by all calls of `inspect` while the other threads wait for services. */
  const inspectionThread = newThread();
  const durationThread = newThread();
  const limits: PartLimits = { maxBytes: maxPartBytes, maxSeconds: maxPartSeconds };

  return {
    durationSeconds: (videoName) =>
      readDuration(openRecording(files, videoName, durationThread), Math.min(limitMs, DURATION_LIMIT_MS)),

    async inspect(videoName, signal) {
      const thread = free.pop();
      try {
        await using recording = await openRecording(files, videoName, thread ?? inspectionThread);
        return (await recording.runTask('inspect', null, signal)) as RecordingContent;
      } finally {
        if (thread) free.push(thread);
      }
    },

    async *audioParts(videoName, from, signal) {
      // A separate thread: minutes pass between parts while they are transcribed, and other callers
      // would wait.
      const thread = free.pop() ?? newThread();
      try {
        await using recording = await openRecording(files, videoName, thread);
        for (;;) {
          const part = (await recording.runTask('nextPart', { from, ...limits }, signal)) as AudioPart | null;
          if (!part) return;
          yield part;
        }
      } finally {
        free.push(thread);
      }
    },

    async join(videoNames, baseName, signal) {
      const thread = free.pop() ?? newThread();
      try {
        return await joinRecordings(files, { videoNames, baseName, thread, signal });
      } finally {
        free.push(thread);
      }
    },
  };
}

/** Returns whole seconds, at least one, or null if they cannot be read. */
async function readDuration(opening: ReturnType<typeof openRecording>, limitMs: number): Promise<number | null> {
  try {
    await using recording = await opening;
    const limit = new AbortController();
    void recording.started.then(() => setTimeout(() => limit.abort(), limitMs).unref());
    const seconds = (await recording.runTask('duration', null, limit.signal)) as number | null;
    return seconds === null ? null : Math.max(1, Math.round(seconds));
  } catch {
    return null;
  }
}

/**
 * Opens the file in the store and in the thread.
 * @throws UnreadableRecording, FileStoreError
 */
async function openRecording(files: FileStore, videoName: string, thread: MediaThread) {
  const file = await openVideo(files, videoName);
  const inThread = await thread.open(file).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  return {
    started: inThread.started,
    runTask: inThread.runTask.bind(inThread),
    async [Symbol.asyncDispose]() {
      await inThread.close();
      await file.close();
    },
  };
}
