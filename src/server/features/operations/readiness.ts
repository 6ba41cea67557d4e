import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { missingMigrations } from '#server/db/migrate.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type FileStore, FileStoreError } from '#server/ports/file-store.ts';

export interface ReadinessDeps {
  pool: pg.Pool;
  queue: JobQueue;
  files: FileStore;
  /** True when other machines use the same store, so that its outage affects all of them. */
  sharesFiles: boolean;
  roles: readonly string[];
}

/** `degraded`: recordings can't be read or stored, everything else works. */
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
  /** True when the store has worked since the start, so its settings are right. */
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
  }

  announceStop(): void {
    this.#isStopping = true;
  }

  get roles(): readonly string[] {
    return this.#deps.roles;
  }

  /**
   * An outage of a shared store only degrades a process: a load balancer would otherwise send
   * nothing to any process, although most requests need no file.
   */
  async find(): Promise<{ status: Status; checks: Checks }> {
    const checks = await this.#check();
    return { status: this.#isStopping ? 'stopping' : this.#statusOf(checks), checks };
  }

  #statusOf({ files, ...others }: Checks): Status {
    if (files === 'ok') this.#hasReachedFiles = true;
    if (!Object.values(others).every((state) => state === 'ok')) return 'not ready';
    if (files === 'ok') return 'ok';
    return this.#deps.sharesFiles && this.#hasReachedFiles ? 'degraded' : 'not ready';
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
    const { pool, queue, files, roles } = this.#deps;
    const [migrations, jobs, store] = await Promise.all([
      outcomeOf(missingMigrations(pool)),
      outcomeOf(queue.depth()),
      outcomeOf(files.probe()),
    ]);
    const missing = migrations.value?.length ?? 0;
    const isIdle = !this.#isStarted || (roles.includes('worker') && !queue.isRunning);
    return {
      database: migrations.failed ? 'does not answer' : 'ok',
      migrations: migrations.failed ? 'unknown' : missing > 0 ? `${missing} missing` : 'ok',
      files: store.failed ? `cannot be written (${reasonOf(store.error)})` : 'ok',
      queue: jobs.failed ? 'does not answer' : isIdle ? 'not started' : 'ok',
    };
  }
}

const reasonOf = (error: unknown) => (error instanceof FileStoreError ? error.kind.replace('_', ' ') : 'unavailable');

type Outcome<T> = { failed: false; value: T } | { failed: true; value?: undefined; error: unknown };

/** Never rejects; fails after the timeout. */
function outcomeOf<T>(check: Promise<T>): Promise<Outcome<T>> {
  const timedOut = sleep(CHECK_TIMEOUT_MS, undefined, { ref: false }).then(
    (): Outcome<T> => ({ failed: true, error: 'timeout' }),
  );
  const done = check.then(
    (value): Outcome<T> => ({ failed: false, value }),
    (error: unknown): Outcome<T> => ({ failed: true, error }),
  );
  return Promise.race([done, timedOut]);
}
