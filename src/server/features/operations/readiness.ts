import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { missingMigrations } from '../../db/migrate.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import { type FileStore, FileStoreError } from '../../ports/file-store.ts';

export interface ReadinessDependencies {
  pool: pg.Pool;
  queue: JobQueue;
  files: FileStore;
}

/** What was looked at: `ok`, or why not. Anybody may read it, so it names no folder, address or account. */
export type Checks = Record<'database' | 'migrations' | 'files' | 'queue', string>;

/** A monitor asks often; nobody needs an answer younger than this. */
const FRESH_MS = 1_000;
const PATIENCE_MS = 2_000;

/** Whether this process can do all of its work now. */
export class Readiness {
  readonly #on: ReadinessDependencies;
  #last: { at: number; checks: Promise<Checks> } | null = null;

  constructor(dependencies: ReadinessDependencies) {
    this.#on = dependencies;
  }

  check(): Promise<Checks> {
    const now = performance.now();
    if (!this.#last || now - this.#last.at > FRESH_MS) this.#last = { at: now, checks: this.#look() };
    return this.#last.checks;
  }

  async #look(): Promise<Checks> {
    const { pool, queue, files } = this.#on;
    const [migrations, jobs, store] = await Promise.all([
      answered(missingMigrations(pool)),
      answered(queue.depth()),
      answered(files.probe()),
    ]);
    const behind = migrations.value?.length ?? 0;
    return {
      database: migrations.failed ? 'does not answer' : 'ok',
      migrations: migrations.failed ? 'unknown' : behind > 0 ? `${behind} missing` : 'ok',
      files: store.failed ? `cannot be written (${reasonOf(store.error)})` : 'ok',
      queue: jobs.failed ? 'does not answer' : queue.isRunning ? 'ok' : 'not started',
    };
  }
}

const reasonOf = (error: unknown) => (error instanceof FileStoreError ? error.kind.replace('_', ' ') : 'unavailable');

type Answered<T> = { failed: false; value: T } | { failed: true; value?: undefined; error: unknown };

/** Never rejects, and gives up after a while. */
function answered<T>(asked: Promise<T>): Promise<Answered<T>> {
  const late = sleep(PATIENCE_MS, undefined, { ref: false }).then((): Answered<T> => ({ failed: true, error: 'late' }));
  const done = asked.then(
    (value): Answered<T> => ({ failed: false, value }),
    (error: unknown): Answered<T> => ({ failed: true, error }),
  );
  return Promise.race([done, late]);
}
