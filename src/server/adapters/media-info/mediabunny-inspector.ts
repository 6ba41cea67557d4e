import { CustomSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';
import { LONGEST_SECONDS } from '#contracts/interviews.ts';
import type { FileStore, ReadableFile } from '#server/ports/file-store.ts';
import type { MediaInspector } from '#server/ports/media-inspector.ts';

export interface InspectorOptions {
  files: FileStore;
  /** A file that takes longer says nothing of its length. */
  limitMs?: number;
}

const FORMATS = [MP4, QTFF, WEBM, MATROSKA];
const CACHE_BYTES = 2 * 2 ** 20;
/** No table of a real recording is larger; a broken file may claim anything. */
const LONGEST_READ = 64 * 2 ** 20;

/** Reads lengths from mp4, mov, webm and mkv files: their headers only, and the end of files that have none. */
export function mediabunnyInspector({ files, limitMs = 20_000 }: InspectorOptions): MediaInspector {
  return {
    async durationSeconds(videoName) {
      const file = await files.open('video', videoName).catch(() => null);
      if (!file) return null;
      const reads = new Reads(file);
      const input = new Input({ formats: FORMATS, source: reads.source });
      const limit = AbortSignal.timeout(limitMs);
      // Disposing makes whatever is still being read fail.
      const late = () => input.dispose();
      limit.addEventListener('abort', late);
      try {
        return believable(await durationOf(input));
      } catch {
        return null;
      } finally {
        limit.removeEventListener('abort', late);
        input.dispose();
        await reads.idle();
        await file.close();
      }
    },
  };
}

/** What the file says of itself, else the end of its last packet: a browser's live recording says nothing. */
async function durationOf(input: Input): Promise<number | null> {
  const stated = await input.getDurationFromMetadata();
  return stated && stated > 0 ? stated : input.computeDuration();
}

/** Whole seconds, at least one; null for what cannot be the length of a recording. */
function believable(seconds: number | null): number | null {
  if (seconds === null || !(seconds > 0) || seconds > LONGEST_SECONDS) return null;
  return Math.max(1, Math.round(seconds));
}

/** Hands parts of a stored file to mediabunny, and knows when the last of them has been read. */
class Reads {
  readonly source: CustomSource;
  readonly #file: ReadableFile;
  readonly #underWay = new Set<Promise<Uint8Array>>();

  constructor(file: ReadableFile) {
    this.#file = file;
    this.source = new CustomSource({
      getSize: () => file.file.size,
      read: (start, end) => this.#track(this.#read(start, end)),
      maxCacheSize: CACHE_BYTES,
      prefetchProfile: 'fileSystem',
      handleUnhandledError: () => {},
    });
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  #track(read: Promise<Uint8Array>): Promise<Uint8Array> {
    this.#underWay.add(read);
    const done = () => this.#underWay.delete(read);
    read.then(done, done);
    return read;
  }

  async #read(start: number, end: number): Promise<Uint8Array> {
    if (end - start > LONGEST_READ) throw new Error('The file claims a table of an impossible length.');
    const bytes = new Uint8Array(end - start);
    for (let filled = 0; filled < bytes.length; ) {
      const read = await this.#file.read(bytes.subarray(filled), start + filled);
      if (read === 0) throw new Error('The file ends early.');
      filled += read;
    }
    return bytes;
  }
}
