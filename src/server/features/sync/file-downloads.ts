import type { Database } from '../../db/database.ts';
import type { SourceAccess } from '../../ports/interview-source.ts';
import type { Media } from '../media/media.service.ts';
import { type FileEnd, FileEnds } from './file-ends.ts';
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

/** Files that wait for their end to be recorded: small ones arrive faster than one transaction follows the other. */
const MOST_ENDING = 64;
/** The list is read for so many rounds of files. */
const READ_AHEAD = 8;

/**
 * Fetches the files of a run beside the reading of its pages. The list of what to fetch is in the database, so a restart goes on with
 * it; only its next rows are in memory.
 */
export class FileDownloads {
  readonly #on: DownloadDependencies;
  readonly #run: Run;
  readonly #signal: AbortSignal;
  readonly #ends: FileEnds;
  /** Files that are being fetched, stored or measured, or whose end is being recorded. */
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #fetching = new Set<string>();
  /** Of those under way, the ones that are whole in the store, or will not be. */
  #ending = 0;
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
  #hasRoom(): boolean {
    const { concurrency } = this.#on;
    const unfinished = this.#underWay.size - this.#ending;
    return this.#fetching.size < concurrency && unfinished < concurrency * 2 && this.#ending < MOST_ENDING;
  }

  async #startMore(): Promise<number> {
    let started = 0;
    while (this.#hasRoom()) {
      if (this.#ready.length === 0) this.#ready = await this.#nextFiles();
      const file = this.#ready.shift();
      if (!file || this.#signal.aborted) break;
      this.#start(file);
      started += 1;
    }
    return started;
  }

  /** Files under way are still in the list, so ask for more than them. One that ends while we ask may be in the answer. */
  async #nextFiles(): Promise<PendingFile[]> {
    const known = new Set(this.#underWay.keys());
    const next = await pendingFiles(this.#on.db, this.#run.id, known.size + this.#on.concurrency * READ_AHEAD);
    return next.filter((file) => !known.has(keyOf(file)));
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
    const end = await this.#endOf(file);
    this.#ending += 1;
    this.#wake();
    await this.#ends.record(end).finally(() => {
      this.#ending -= 1;
    });
  }

  async #endOf(file: PendingFile): Promise<FileEnd> {
    const key = keyOf(file);
    this.#fetching.add(key);
    const received = () => {
      this.#fetching.delete(key);
      this.#wake();
    };
    const how = { signal: this.#signal, onReceived: received };
    const outcome = await this.#on.media.fetch(file, this.#run.access, how).finally(received);
    if (outcome.status === 'failed') return { file, failure: outcome.reason };
    // The fetched file may have another address than the one of the list.
    return { file, fetched: await this.#on.media.measured(outcome.file, !file.lengthIsKnown) };
  }
}

const keyOf = (file: PendingFile) => `${file.kind} ${file.interviewId}`;
