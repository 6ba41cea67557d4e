import { LRUCache } from 'lru-cache';
import { OpenFile } from './open-file.ts';

const KEEP_OPEN_MS = 1_000;
const MAX_OPEN = 256;

type PendingFile = Promise<OpenFile | null>;

/**
 * Keeps files open for a second. A player requests many small ranges of one video, and opening for
 * each would cost four system calls instead of one. `evict` closes a file early in this process;
 * changes by another process become visible within that second.
 */
export class OpenFiles {
  readonly #files = new LRUCache<string, PendingFile>({
    max: MAX_OPEN,
    ttl: KEEP_OPEN_MS,
    ttlAutopurge: true,
    dispose: (opening) => {
      opening.then(
        (file) => file?.release(),
        () => undefined,
      );
    },
  });

  /**
   * Returns null unless the path is a regular file. The caller releases the file. Throws system
   * errors.
   */
  async acquire(path: string): PendingFile {
    const file = await (this.#files.get(path) ?? this.#open(path));
    // `evict` may have closed it in the meantime.
    if (file && !file.acquire()) return this.acquire(path);
    return file;
  }

  /** Call it after the file was deleted or replaced. */
  evict(path: string): void {
    this.#files.delete(path);
  }

  #open(path: string): PendingFile {
    const opening = OpenFile.at(path);
    this.#files.set(path, opening);
    // The path may have been opened again.
    const forget = () => this.#files.peek(path) === opening && this.#files.delete(path);
    opening.then((file) => file ?? forget(), forget);
    return opening;
  }
}
