import type { FileStore } from '#server/ports/file-store.ts';
import {
  type AudioPart,
  type RecordingContent,
  type Recordings,
  UnreadableRecording,
} from '#server/ports/recordings.ts';
import { MediaThread } from '../media-thread/media-thread.ts';
import type { PartLimits } from './part-cut.ts';

export interface RecordingsOptions {
  files: FileStore;
  /** A recording that makes no progress for so long is given up as damaged. */
  limitMs?: number;
  mostPartBytes?: number;
  mostPartSeconds?: number;
}

const LIMIT_MS = 30_000;
const MOST_PART_BYTES = 15_000_000;
const MOST_PART_SECONDS = 20 * 60;
const SCRIPT = new URL('./recordings.worker.ts', import.meta.url);

/** Reads recordings with mediabunny in threads of their own; sound is copied packet by packet, never decoded. */
export function mediabunnyRecordings({
  files,
  limitMs = LIMIT_MS,
  mostPartBytes = MOST_PART_BYTES,
  mostPartSeconds = MOST_PART_SECONDS,
}: RecordingsOptions): Recordings {
  const newThread = () => new MediaThread(SCRIPT, limitMs);
  /** To start a thread takes longer than to cut a short recording, so they are kept for the next one; unused ones end by themselves. */
  const free = [newThread()];
  /** While the others wait for services, all that look share this one: anybody may ask for that. */
  const looking = newThread();
  const limits: PartLimits = { mostBytes: mostPartBytes, mostSeconds: mostPartSeconds };

  return {
    async look(videoName, signal) {
      const thread = free.pop();
      try {
        const recording = await openRecording(files, videoName, thread ?? looking);
        return (await recording.ask('look', null, signal).finally(recording.close)) as RecordingContent;
      } finally {
        if (thread) free.push(thread);
      }
    },

    async *audioParts(videoName, from, signal) {
      // Nobody else's meanwhile: minutes pass between parts, while somebody transcribes them, and others would wait.
      const thread = free.pop() ?? newThread();
      try {
        yield* partsOf(await openRecording(files, videoName, thread), { from, ...limits }, signal);
      } finally {
        free.push(thread);
      }
    },
  };
}

type OpenRecording = Awaited<ReturnType<typeof openRecording>>;

async function* partsOf(recording: OpenRecording, asked: PartLimits & { from: number }, signal: AbortSignal) {
  try {
    for (;;) {
      const part = (await recording.ask('nextPart', asked, signal)) as AudioPart | null;
      if (!part) return;
      yield part;
    }
  } finally {
    await recording.close();
  }
}

/** The file in the store and in the thread, closed together. @throws UnreadableRecording, FileStoreError */
async function openRecording(files: FileStore, videoName: string, thread: MediaThread) {
  const file = await files.open('video', videoName);
  if (!file) throw new UnreadableRecording('This recording is no longer in the file store.');
  const inThread = await thread.open(file).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  return {
    ask: inThread.ask.bind(inThread),
    async close() {
      await inThread.close();
      await file.close();
    },
  };
}
