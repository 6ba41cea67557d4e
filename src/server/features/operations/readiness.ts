import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { missingMigrations } from '#server/db/migrate.ts';
import type { LiveWorkers } from '#server/jobs/live-workers.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type FileStore, FileStoreError } from '#server/ports/file-store.ts';

export interface ReadinessDeps {
  pool: pg.Pool;
  queue: JobQueue;
  workers: Pick<LiveWorkers, 'isMissing'>;
  files: FileStore;
  roles: readonly string[];
}

/** `degraded`: a part that all processes share does not work, so another process would not help. */
type Status = 'ok' | 'degraded' | 'not ready' | 'stopping';

/** `ok`, or the problem. Anonymous callers read it, so it names no folder, address or account. */
export type Checks = Record<'database' | 'migrations' | 'files' | 'queue', string>;

/** Results are reused for this long, because monitors ask often. */
const MAX_AGE_MS = 1_000;
const CHECK_TIMEOUT_MS = 2_000;

export class Readiness {
  readonly #deps: ReadinessDeps;
  #isStarted = false;
  #isStopping = false;
  /** True when the store has worked since the start, or is only full: its settings are right. */
  #hasReachedFiles = false;
  #last: { at: number; checks: Promise<Checks> } | null = null;

  constructor(deps: ReadinessDeps) {
    this.#deps = deps;
  }

  /**
   * The process becomes ready. It is not ready during its start, which an outage of the database
   * ends.
   */
  announceStart(): void {
    this.#isStarted = true;
    this.#last = null;
    // Remembers that the file store works, even if no monitor asks before its outage.
    void this.find();
  }

  announceStop(): void {
    this.#isStopping = true;
  }

  get roles(): readonly string[] {
    return this.#deps.roles;
  }

  /**
   * Failures of shared parts only degrade a process, once they have worked: a load balancer would
   * otherwise send nothing to any process, and users would get its error instead of our pages and
   * messages (docs/decisions/0027).
   */
  async find(): Promise<{ status: Status; checks: Checks }> {
    const checks = await this.#check();
    return { status: this.#isStopping ? 'stopping' : this.#statusOf(checks), checks };
  }

  #statusOf(checks: Checks): Status {
    const { migrations, queue, files } = checks;
    if (files === 'ok' || files === FULL) this.#hasReachedFiles = true;
    const isOutdated = migrations !== 'ok' && migrations !== UNKNOWN;
    if (!this.#isStarted || isOutdated || queue === NOT_STARTED || !this.#hasReachedFiles) return 'not ready';
    return Object.values(checks).every((state) => state === 'ok') ? 'ok' : 'degraded';
  }

  #check(): Promise<Checks> {
    const now = performance.now();
    if (!this.#last || now - this.#last.at > MAX_AGE_MS) this.#last = { at: now, checks: this.#runChecks() };
    return this.#last.checks;
  }

  async pingDatabase(): Promise<void> {
    await this.#deps.pool.query('SELECT 1');
  }

  async #runChecks(): Promise<Checks> {
    const { pool, queue, workers, files, roles } = this.#deps;
    const [migrations, jobs, store] = await Promise.allSettled([
      withTimeout(missingMigrations(pool)),
      withTimeout(queue.depth()),
      withTimeout(files.probe()),
    ]);
    const isIdle = !this.#isStarted || (roles.includes('worker') && !queue.isRunning);
    return {
      database: migrations.status === 'rejected' ? NO_RESPONSE : 'ok',
      migrations: migrations.status === 'rejected' ? UNKNOWN : stateOf(migrations.value),
      files: store.status === 'rejected' ? cannotBeWritten(reasonOf(store.reason)) : 'ok',
      queue: jobs.status === 'rejected' ? NO_RESPONSE : isIdle ? NOT_STARTED : workers.isMissing() ? 'no worker' : 'ok',
    };
  }
}

const NO_RESPONSE = 'does not answer';
const UNKNOWN = 'unknown';
const NOT_STARTED = 'not started';
const cannotBeWritten = (reason: string) => `cannot be written (${reason})`;
/** The store works, and its settings are right. */
const FULL = cannotBeWritten('full');

const reasonOf = (error: unknown) => (error instanceof FileStoreError ? error.kind.replace('_', ' ') : 'unavailable');

const stateOf = (missing: readonly unknown[]) => (missing.length > 0 ? `${missing.length} missing` : 'ok');

function withTimeout<T>(check: Promise<T>): Promise<T> {
  const timeout = sleep(CHECK_TIMEOUT_MS, null, { ref: false }).then(() => {
    throw new Error('The check timed out.');
  });
  return Promise.race([check, timeout]);
}
