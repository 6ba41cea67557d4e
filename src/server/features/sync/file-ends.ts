import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Executor } from '../../db/database.ts';
import { announce } from '../../live/bus.ts';
import type { MeasuredFile, Media } from '../media/media.service.ts';
import { RunLost } from './run-lost.ts';
import { forgetFiles, markFailed, type PendingFile } from './sync-records.repo.ts';
import { addProgress } from './sync-runs.repo.ts';

/** A file that is in the store, or why it is not. */
export type FileEnd = { file: PendingFile } & ({ fetched: MeasuredFile } | { failure: string });

interface Run {
  id: string;
  worker: string;
  /** Called when the run turns out to be cancelled, in case the announcement of it was missed. */
  cancel: () => void;
}

/** Small files end faster than a transaction for each of them would; nobody sees progress sooner than this. */
const GATHER_MS = 50;

/**
 * Records how the files of a run ended. All that end within a moment, or while one transaction is under way, share the next one: a
 * transaction for each would wait for the one before anyway, since all add to the counts of the same run.
 */
export class FileEnds {
  readonly #on: { db: Database; media: Media };
  readonly #run: Run;
  #waiting: FileEnd[] = [];
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(dependencies: { db: Database; media: Media }, run: Run) {
    this.#on = dependencies;
    this.#run = run;
  }

  /** @throws RunLost */
  record(end: FileEnd): Promise<void> {
    this.#waiting.push(end);
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async #after(running: Promise<void>): Promise<void> {
    await running.catch(() => {});
    await sleep(GATHER_MS);
    const ends = this.#waiting;
    this.#waiting = [];
    if (this.#next) this.#running = this.#next;
    this.#next = null;
    await this.#recordAll(ends);
  }

  async #recordAll(ends: readonly FileEnd[]): Promise<void> {
    const stored = ends.flatMap((end) => ('fetched' in end ? [end] : []));
    const failed = ends.flatMap((end) => ('failure' in end ? [end] : []));
    const fetched = stored.map((end) => end.fetched);
    await this.#on.media.attachAll(fetched, (attach) =>
      this.#on.db.transaction().execute(async (tx) => {
        if (stored.length > 0) await attach(tx);
        await this.#count(tx, {
          downloaded_files: await forgetFiles(
            tx,
            this.#run.id,
            stored.map(({ file }) => file),
          ),
          failed_files: await this.#markAll(tx, failed),
        });
      }),
    );
  }

  async #markAll(tx: Executor, failed: readonly { file: PendingFile; failure: string }[]): Promise<number> {
    let marked = 0;
    for (const { file, failure } of failed) if (await markFailed(tx, this.#run.id, file, failure)) marked += 1;
    return marked;
  }

  /** In the transaction of the files' ends, so that a restart counts no file twice. */
  async #count(tx: Executor, added: { downloaded_files: number; failed_files: number }): Promise<void> {
    if (added.downloaded_files + added.failed_files === 0) return;
    const run = await addProgress(tx, this.#run, added);
    if (!run) throw new RunLost();
    await announce(tx, 'sync', 'refresh-progress');
    if (run.cancel_requested_at !== null) this.#run.cancel();
  }
}
