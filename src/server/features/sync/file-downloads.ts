import type { Database } from '../../db/database.ts';
import type { SourceAccess } from '../../ports/interview-source.ts';
import type { Media } from '../media/media.service.ts';
import { FileEnds } from './file-ends.ts';
import { type PendingFile, pendingFiles } from './sync-records.repo.ts';

export interface DownloadDependencies {
  db: Database;
  media: Media;
  /** Files fetched at the same time. */
  concurrency: number;
}

interface Run {
  id: string;
  worker: string;
  access: SourceAccess;
  /** Called when the run turns out to be cancelled, in case the announcement of it was missed. */
  cancel: () => void;
}

/** So many times as many files may be under way as are fetched: small ones arrive faster than the disk and the database take them. */
const UNDER_WAY = 12;
/** The list is read for so many rounds of files. */
const READ_AHEAD = 8;

/**
 * Fetches the files of a run beside the reading of its pages. The list of what to fetch is in the database, so a restart goes on with
 * it; only a handful of rows is in memory at any time.
 */
export class FileDownloads {
  readonly #on: DownloadDependencies;
  readonly #run: Run;
  readonly #signal: AbortSignal;
  readonly #ends: FileEnds;
  /** Files that are being fetched or whose end is being recorded. */
  readonly #underWay = new Map<string, Promise<void>>();
  #fetching = 0;
  /** The next files of the list, none of them under way. */
  #ready: PendingFile[] = [];
  #wake: () => void = () => {};
  #morePages = true;
  #failure: unknown;

  constructor(dependencies: DownloadDependencies, run: Run, signal: AbortSignal) {
    this.#on = dependencies;
    this.#run = run;
    this.#signal = signal;
    this.#ends = new FileEnds(dependencies, run);
  }

  /** There may be new files to fetch. */
  pageWritten(): void {
    this.#wake();
  }

  /** No further page follows: `drain` ends when the list is empty. */
  allPagesWritten(): void {
    this.#morePages = false;
    this.#wake();
  }

  /** Fetches until everything is there or the signal aborts; waits for what is under way. */
  async drain(): Promise<void> {
    const wake = () => this.#wake();
    this.#signal.addEventListener('abort', wake);
    try {
      while (!this.#signal.aborted && !this.#failure) {
        const changed = this.#nextChange();
        const listIsWhole = !this.#morePages;
        const started = await this.#startMore();
        if (listIsWhole && started === 0 && this.#underWay.size === 0) break;
        await changed;
      }
    } finally {
      this.#signal.removeEventListener('abort', wake);
      await Promise.allSettled(this.#underWay.values());
    }
    if (this.#failure) throw this.#failure;
  }

  /** Resolves at the next page, finished file or abort. Ask before looking, so that nothing happens unseen in between. */
  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** A file that has arrived makes room for the next one while it is stored and its end recorded. */
  async #startMore(): Promise<number> {
    const { concurrency } = this.#on;
    let started = 0;
    while (this.#fetching < concurrency && this.#underWay.size < concurrency * UNDER_WAY) {
      if (this.#ready.length === 0) this.#ready = await this.#nextFiles();
      const file = this.#ready.shift();
      if (!file || this.#signal.aborted) break;
      this.#start(file);
      started += 1;
    }
    return started;
  }

  /** Files under way are still in the list, so ask for more than them. */
  async #nextFiles(): Promise<PendingFile[]> {
    const most = this.#underWay.size + this.#on.concurrency * READ_AHEAD;
    const next = await pendingFiles(this.#on.db, this.#run.id, most);
    return next.filter((file) => !this.#underWay.has(keyOf(file)));
  }

  #start(file: PendingFile): void {
    const key = keyOf(file);
    const done = this.#fetch(file)
      .catch((error) => {
        if (!this.#signal.aborted) this.#failure ??= error;
      })
      .finally(() => {
        this.#underWay.delete(key);
        this.#wake();
      });
    this.#underWay.set(key, done);
  }

  async #fetch(file: PendingFile): Promise<void> {
    this.#fetching += 1;
    let isFetching = true;
    const received = () => {
      if (!isFetching) return;
      isFetching = false;
      this.#fetching -= 1;
      this.#wake();
    };
    const outcome = await this.#on.media.fetch(file, this.#run.access, this.#signal, received).finally(received);
    if (outcome.status === 'failed') return this.#ends.record({ file, failure: outcome.reason });
    // The fetched file may have another address than the one of the list.
    const fetched = await this.#on.media.measured(outcome.file, !file.lengthIsKnown);
    await this.#ends.record({ file, fetched });
  }
}

const keyOf = (file: PendingFile) => `${file.kind} ${file.interviewId}`;
