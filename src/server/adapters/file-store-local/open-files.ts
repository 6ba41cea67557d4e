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
  readonly #files = new Map<string, PendingFile>();

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
    this.#close(path, this.#files.get(path));
  }

  #open(path: string): PendingFile {
    const opening = OpenFile.at(path);
    if (this.#files.size >= MAX_OPEN) this.evict(this.#files.keys().next().value ?? '');
    this.#files.set(path, opening);
    opening.then(
      (file) => {
        if (file) setTimeout(() => this.#close(path, opening), KEEP_OPEN_MS).unref();
        else this.#close(path, opening);
      },
      () => this.#close(path, opening),
    );
    return opening;
  }

  /** Closes this opening only; the path may have been opened again. */
  #close(path: string, opening: PendingFile | undefined): void {
    if (opening === undefined || this.#files.get(path) !== opening) return;
    this.#files.delete(path);
    opening.then(
      (file) => file?.release(),
      () => undefined,
    );
  }
}
