import { OpenFile } from './open-file.ts';

const KEPT_MS = 1_000;
const MOST_KEPT = 256;

type Opening = Promise<OpenFile | null>;

/**
 * Keeps files open for a second: a player asks for many small ranges of one video, and with opening and closing each costs four trips
 * to the disk instead of one. `forget` ends that at once in this process; what another process removes or replaces may be
 * served for the rest of that second.
 */
export class OpenFiles {
  readonly #kept = new Map<string, Opening>();

  /** Null when there is no regular file. The caller lets go of it. Throws the system's own errors. */
  async hold(path: string): Opening {
    const file = await (this.#kept.get(path) ?? this.#open(path));
    // It may have been closed between its opening and now, by `forget`.
    if (file && !file.hold()) return this.hold(path);
    return file;
  }

  /** To be called after the file was removed or replaced. */
  forget(path: string): void {
    this.#drop(path, this.#kept.get(path));
  }

  #open(path: string): Opening {
    const opening = OpenFile.at(path);
    if (this.#kept.size >= MOST_KEPT) this.forget(this.#kept.keys().next().value ?? '');
    this.#kept.set(path, opening);
    opening.then(
      (file) => {
        if (file) setTimeout(() => this.#drop(path, opening), KEPT_MS).unref();
        else this.#drop(path, opening);
      },
      () => this.#drop(path, opening),
    );
    return opening;
  }

  /** Only this opening: the path may have been opened anew meanwhile. */
  #drop(path: string, opening: Opening | undefined): void {
    if (opening === undefined || this.#kept.get(path) !== opening) return;
    this.#kept.delete(path);
    opening.then(
      (file) => file?.letGo(),
      () => undefined,
    );
  }
}
