import { MediaThread } from '#server/adapters/media-thread/media-thread.ts';
import type { FileStore, ReadableFile } from '#server/ports/file-store.ts';
import {
  type AudioPart,
  type RecordingContent,
  type Recordings,
  UnreadableRecording,
} from '#server/ports/recordings.ts';
import { joinRecordings } from './join-recordings.ts';
import type { PartLimits } from './part-cut.ts';

export interface RecordingsOptions {
  files: FileStore;
  /** A recording without progress for this long counts as damaged. */
  limitMs?: number;
  maxPartBytes?: number;
  maxPartSeconds?: number;
}

const LIMIT_MS = 30_000;
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
}: RecordingsOptions): Recordings {
  const newThread = () => new MediaThread(SCRIPT, limitMs);
  /**
   * Starting a thread takes longer than cutting a short recording, so threads are reused; idle ones
   * end.
   */
  const free = [newThread()];
  /** Shared by all calls of `inspect` while the other threads wait for services. */
  const inspectionThread = newThread();
  const limits: PartLimits = { maxBytes: maxPartBytes, maxSeconds: maxPartSeconds };

  return {
    async inspect(videoName, signal) {
      const thread = free.pop();
      try {
        const recording = await openRecording(files, videoName, thread ?? inspectionThread);
        return (await recording.runTask('inspect', null, signal).finally(recording.close)) as RecordingContent;
      } finally {
        if (thread) free.push(thread);
      }
    },

    async *audioParts(videoName, from, signal) {
      // A separate thread: minutes pass between parts while they are transcribed, and other callers
      // would wait.
      const thread = free.pop() ?? newThread();
      try {
        yield* partsOf(await openRecording(files, videoName, thread), { from, ...limits }, signal);
      } finally {
        free.push(thread);
      }
    },

    async join(videoNames, baseName, signal) {
      const thread = free.pop() ?? newThread();
      try {
        const openInThread = (file: ReadableFile) => thread.open(file);
        return await joinRecordings(files, { videoNames, baseName, openInThread, signal });
      } finally {
        free.push(thread);
      }
    },
  };
}

type OpenRecording = Awaited<ReturnType<typeof openRecording>>;

async function* partsOf(recording: OpenRecording, pending: PartLimits & { from: number }, signal: AbortSignal) {
  try {
    for (;;) {
      const part = (await recording.runTask('nextPart', pending, signal)) as AudioPart | null;
      if (!part) return;
      yield part;
    }
  } finally {
    await recording.close();
  }
}

/**
 * Opens the file in the store and in the thread; `close` closes both.
 * @throws UnreadableRecording, FileStoreError
 */
async function openRecording(files: FileStore, videoName: string, thread: MediaThread) {
  const file = await files.open('video', videoName);
  if (!file) throw new UnreadableRecording('This recording is no longer in the file store.');
  const inThread = await thread.open(file).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  return {
    runTask: inThread.runTask.bind(inThread),
    async close() {
      await inThread.close();
      await file.close();
    },
  };
}
