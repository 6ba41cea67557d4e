import { randomUUID } from 'node:crypto';
import { coalesce } from '#server/async/single-flight.ts';
import type { Database } from '#server/db/database.ts';
import type { Log } from '#server/ports/log.ts';
import { deleteOldWorkers, deleteWorker, listSeenWorkers, type SeenWorker, upsertWorker } from './workers.repo.ts';

export interface WorkerPace {
  /** Between the signs of life of a worker. */
  beatMs: number;
  /** Between the readings of all signs of life. */
  readMs: number;
  /** Without a sign of life for this long, a worker is missing. */
  missingAfterMs: number;
}

export const WORKER_PACE: WorkerPace = { beatMs: 10_000, readMs: 5_000, missingAfterMs: 30_000 };

/** For users, in place of the activity of a job that no worker runs. */
export const WAITING_FOR_WORKER = 'Waiting for a worker';

interface LiveWorkersDeps {
  db: Database;
  log: Log;
  pace: WorkerPace;
}

/** Knows which types of jobs have a worker, from the signs of life that workers store. */
export class LiveWorkers {
  readonly #deps: LiveWorkersDeps;
  readonly #id = randomUUID();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #listeners: (() => void)[] = [];
  /** The last sign of life for each type of job, and of any worker, by `performance.now()`. */
  readonly #seenAt = new Map<string | null, number>();
  /** The start of this process, or the end of the last outage of the database. */
  #startedAt = performance.now();
  #readAt = this.#startedAt;
  #isReporting = false;
  #wereMissing = '';

  constructor(deps: LiveWorkersDeps) {
    this.#deps = deps;
    this.#every(deps.pace.readMs, () => this.#read());
  }

  /** This process runs jobs of these types, until `close`. */
  async report(jobs: readonly string[]): Promise<void> {
    const { db, pace } = this.#deps;
    this.#isReporting = true;
    await upsertWorker(db, this.#id, jobs);
    await deleteOldWorkers(db);
    this.#every(pace.beatMs, () => upsertWorker(db, this.#id, jobs));
  }

  /** The number of worker processes that have shown a sign of life within `missingAfterMs`. */
  async count(): Promise<number> {
    return (await this.#listSeen()).length;
  }

  /**
   * True if no worker for this type of job, or at all, gave a sign of life for `missingAfterMs`.
   */
  isMissing(job: string | null = null): boolean {
    return this.missingForMs(job) > this.#deps.pace.missingAfterMs;
  }

  missingForMs(job: string | null = null): number {
    return this.#readAt - Math.max(this.#startedAt, this.#seenAt.get(job) ?? 0);
  }

  /** Called when workers have become missing, or are back. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#isReporting) await deleteWorker(this.#deps.db, this.#id).catch(() => {});
  }

  readonly #read = coalesce(async () => {
    const seen = await this.#listSeen();
    const now = performance.now();
    // Workers could not store signs of life while the database was unavailable.
    if (now - this.#readAt > this.#deps.pace.missingAfterMs) this.#startedAt = now;
    for (const { jobs, ageMs } of seen)
      for (const job of [null, ...jobs]) this.#seenAt.set(job, Math.max(this.#seenAt.get(job) ?? 0, now - ageMs));
    this.#readAt = now;
    const missing = [null, ...this.#seenAt.keys()].filter((job) => this.isMissing(job)).join();
    if (missing === this.#wereMissing) return;
    this.#wereMissing = missing;
    for (const listener of this.#listeners) listener();
  });

  #listSeen(): Promise<SeenWorker[]> {
    return listSeenWorkers(this.#deps.db, this.#deps.pace.missingAfterMs);
  }

  #every(ms: number, work: () => Promise<void>): void {
    const onFailure = (error: unknown) => this.#deps.log.debug({ err: error }, 'signs of life of workers are missing');
    this.#timers.push(setInterval(() => void work().catch(onFailure), ms).unref());
  }
}
