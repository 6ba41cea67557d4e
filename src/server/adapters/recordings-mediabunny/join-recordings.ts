import type { OpenedFile } from '#server/adapters/media-thread/opened-file.ts';
import type { FileStore, PartialFile, ReadableFile } from '#server/ports/file-store.ts';
import { type JoinOutcome, UnreadableRecording } from '#server/ports/recordings.ts';

/** The result of the thread's task `planJoin`. */
export type PlannedJoin =
  | { extension: string; startSeconds: number[]; durationSeconds: number }
  | { different: string };

interface JoinRecordingsInput {
  videoNames: readonly string[];
  baseName: string;
  /** Opens the recordings in a thread, as one file that contains them one after another. */
  openInThread: (file: ReadableFile) => Promise<Pick<OpenedFile, 'runTask' | 'close'>>;
  signal: AbortSignal;
}

/** @throws UnreadableRecording, FileStoreError */
export async function joinRecordings(files: FileStore, input: JoinRecordingsInput): Promise<JoinOutcome> {
  const { videoNames, baseName, openInThread, signal } = input;
  const opened = await openAll(files, videoNames);
  try {
    const inThread = await openInThread(concatFiles(opened));
    try {
      const sizes = opened.map(({ file }) => file.size);
      const planned = (await inThread.runTask('planJoin', { sizes }, signal)) as PlannedJoin;
      if ('different' in planned) return { status: 'different', reason: planned.different };
      const { extension, ...times } = planned;
      const name = `${baseName}.${extension}`;
      await writeNew(await files.resume('video', baseName), name, async (partial) => {
        for (;;) {
          const next = (await inThread.runTask('nextBytes', null, signal)) as { bytes: Uint8Array } | null;
          if (!next) return;
          await partial.append(next.bytes);
        }
      });
      return { status: 'joined', name, ...times };
    } finally {
      await inThread.close();
    }
  } finally {
    await Promise.all(opened.map((file) => file.close()));
  }
}

/** Writes a file from its beginning. Removes what was written when that fails. */
async function writeNew(
  partial: PartialFile,
  name: string,
  write: (partial: PartialFile) => Promise<void>,
): Promise<void> {
  try {
    if (partial.size > 0) await partial.truncate();
    await write(partial);
    await partial.commit(name);
  } catch (error) {
    await partial.truncate().catch(() => {});
    throw error;
  } finally {
    await partial.close();
  }
}

async function openAll(files: FileStore, names: readonly string[]): Promise<ReadableFile[]> {
  const opened: ReadableFile[] = [];
  try {
    for (const name of names) {
      const file = await files.open('video', name);
      if (!file) throw new UnreadableRecording('This recording is no longer in the file store.');
      opened.push(file);
    }
    return opened;
  } catch (error) {
    await Promise.all(opened.map((file) => file.close()));
    throw error;
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
