import { addAbortListener } from 'node:events';
import type { SourceAccess } from '#server/ports/interview-source.ts';
import { createFileEndRecorder, type FileEnd, type FileEndDeps, type FileEndRun } from './file-ends.ts';
import { listPendingFiles, type PendingFile } from './sync-records.repo.ts';

export interface DownloadDeps extends FileEndDeps {
  /** Files downloaded at the same time. */
  concurrency: number;
}

interface DownloadRun extends FileEndRun {
  access: SourceAccess;
}

/**
 * Files whose end is being recorded at the same time: small files arrive faster than transactions
 * commit.
 */
const MAX_ENDING = 64;
/** The list is read for this many times the concurrency. */
const READ_AHEAD = 8;

/**
 * Downloads the files of a run while its pages are read. The list of files is in the database, so a
 * restart continues with it.
 *
 * A file passes three phases, each with a limit: receiving its bytes (`concurrency`), storing and
 * measuring it (as many again), and recording its end (`MAX_ENDING`). All waiting is done by
 * `#until`, which checks its condition again after every change of this object.
 */
export class FileDownloads {
  readonly #deps: DownloadDeps;
  readonly #run: DownloadRun;
  readonly #signal: AbortSignal;
  readonly #recordEnd: (end: FileEnd) => Promise<void>;
  /** Files in any phase. */
  readonly #active = new Map<string, Promise<void>>();
  readonly #receiving = new Set<string>();
  #endingCount = 0;
  #pageCount = 0;
  #hasAllPages = false;
  #failure: unknown;
  #change = Promise.withResolvers<void>();

  constructor(deps: DownloadDeps, run: DownloadRun, signal: AbortSignal) {
    this.#deps = deps;
    this.#run = run;
    this.#signal = signal;
    this.#recordEnd = createFileEndRecorder(deps, run);
  }

  /** The list may have new files. */
  onPageWritten(): void {
    this.#pageCount += 1;
    this.#notifyChange();
  }

  onAllPagesWritten(): void {
    this.#hasAllPages = true;
    this.#notifyChange();
  }

  /**
   * Resolves when all files of all pages have ended, or, after an abort, when the active ones have.
   * @throws RunLost
   */
  async downloadAll(): Promise<void> {
    using _listening = addAbortListener(this.#signal, () => this.#notifyChange());
    try {
      for await (const file of this.#listedFiles()) {
        await this.#until(() => this.#hasRoom());
        if (this.#isStopped()) break;
        this.#start(file);
      }
    } finally {
      await Promise.allSettled(this.#active.values());
    }
    if (this.#failure) throw this.#failure;
  }

  /** Yields each file of the list once, and waits for further pages when it is empty. */
  async *#listedFiles(): AsyncGenerator<PendingFile> {
    while (!this.#isStopped()) {
      const [pageCount, hasAllPages] = [this.#pageCount, this.#hasAllPages];
      const files = await this.#nextFiles();
      yield* files;
      if (files.length > 0) continue;
      if (hasAllPages) return;
      await this.#until(() => this.#pageCount > pageCount || this.#hasAllPages);
    }
  }

  /** Active files are in the list until they end, so the query asks for that many more. */
  async #nextFiles(): Promise<PendingFile[]> {
    const active = new Set(this.#active.keys());
    const limit = active.size + this.#deps.concurrency * READ_AHEAD;
    const files = await listPendingFiles(this.#deps.db, this.#run.id, limit);
    return files.filter((file) => !active.has(keyOf(file)));
  }

  #hasRoom(): boolean {
    const { concurrency } = this.#deps;
    const unfinished = this.#active.size - this.#endingCount;
    return this.#receiving.size < concurrency && unfinished < concurrency * 2 && this.#endingCount < MAX_ENDING;
  }

  #start(file: PendingFile): void {
    const key = keyOf(file);
    this.#receiving.add(key);
    const ended = this.#downloadFile(file)
      .catch((error: unknown) => {
        if (!this.#signal.aborted) this.#failure ??= error;
      })
      .finally(() => {
        this.#active.delete(key);
        this.#notifyChange();
      });
    this.#active.set(key, ended);
  }

  async #downloadFile(file: PendingFile): Promise<void> {
    const end = await this.#fetch(file);
    this.#endingCount += 1;
    this.#notifyChange();
    await this.#recordEnd(end).finally(() => {
      this.#endingCount -= 1;
    });
  }

  async #fetch(file: PendingFile): Promise<FileEnd> {
    const { media } = this.#deps;
    const onReceived = () => {
      this.#receiving.delete(keyOf(file));
      this.#notifyChange();
    };
    const outcome = await media.fetch(file, this.#run.access, { signal: this.#signal, onReceived }).finally(onReceived);
    if (outcome.status === 'failed') return { file, failure: outcome.reason };
    // The URL of the stored file may be newer than the one in the list.
    return { file, stored: file.hasDuration ? { ...outcome.file, seconds: null } : await media.measure(outcome.file) };
  }

  #isStopped(): boolean {
    return this.#signal.aborted || this.#failure !== undefined;
  }

  /** Waits until the condition holds, the signal aborts or a file fails. */
  async #until(condition: () => boolean): Promise<void> {
    while (!this.#isStopped() && !condition()) await this.#change.promise;
  }

  #notifyChange(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers<void>();
  }
}

const keyOf = (file: PendingFile) => `${file.kind} ${file.interviewId} ${file.segmentId ?? ''}`;
