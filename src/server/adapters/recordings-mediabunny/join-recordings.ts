import type { MediaThread } from '#server/adapters/media-thread/media-thread.ts';
import type { OpenedFile } from '#server/adapters/media-thread/opened-file.ts';
import type { FileStore, ReadableFile } from '#server/ports/file-store.ts';
import type { JoinOutcome } from '#server/ports/recordings.ts';
import { openVideo, storeVideo } from './video-files.ts';

/** The result of the thread's task `planJoin`. */
export type PlannedJoin =
  | { extension: string; startSeconds: number[]; durationSeconds: number }
  | { different: string };

interface JoinRecordingsInput {
  videoNames: readonly string[];
  baseName: string;
  thread: MediaThread;
  signal: AbortSignal;
}

/** @throws UnreadableRecording, FileStoreError */
export async function joinRecordings(files: FileStore, input: JoinRecordingsInput): Promise<JoinOutcome> {
  const { videoNames, baseName, thread, signal } = input;
  await using opened = new AsyncDisposableStack();
  const recordings: ReadableFile[] = [];
  for (const name of videoNames) recordings.push(opened.adopt(await openVideo(files, name), (file) => file.close()));
  const inThread = opened.adopt(await thread.open(concatFiles(recordings)), (file) => file.close());
  const sizes = recordings.map(({ file }) => file.size);
  const planned = (await inThread.runTask('planJoin', { sizes }, signal)) as PlannedJoin;
  if ('different' in planned) return { status: 'different', reason: planned.different };
  const { extension, ...times } = planned;
  const name = `${baseName}.${extension}`;
  await storeVideo(files, { baseName, name }, () => joinedBytes(inThread, signal));
  return { status: 'joined', name, ...times };
}

async function* joinedBytes(inThread: OpenedFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (;;) {
    const next = (await inThread.runTask('nextBytes', null, signal)) as { bytes: Uint8Array } | null;
    if (!next) return;
    yield next.bytes;
  }
}

/** Returns one readable file with the contents of these files in their order. */
function concatFiles(opened: readonly ReadableFile[]): ReadableFile {
  const size = opened.reduce((sum, { file }) => sum + file.size, 0);
  return {
    file: { size, modifiedAt: new Date(), etag: '' },
    async read(buffer, position) {
      let start = 0;
      for (const one of opened) {
        const within = position - start;
        if (within < one.file.size) return one.read(buffer.subarray(0, one.file.size - within), within);
        start += one.file.size;
      }
      return 0;
    },
    close: async () => {},
  };
}
