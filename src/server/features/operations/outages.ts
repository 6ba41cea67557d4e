import { coalesce } from '#server/async/single-flight.ts';
import type { Database } from '#server/db/database.ts';
import { type WriteProblem, writeProblemOf } from '#server/db/database-down.ts';
import type { Logs, NewLogEntry } from '#server/features/logs/logs.service.ts';
import type { LiveBus } from '#server/live/bus.ts';
import { type FileStore, FileStoreError } from '#server/ports/file-store.ts';
import type { Log } from '#server/ports/log.ts';
import {
  databaseOutageEntry,
  fileStoreOutageEntry,
  fileStoreRecoveredEntry,
  writeProblemEntry,
} from './operations-log.ts';

export interface OutagesDeps {
  db: Database;
  bus: LiveBus;
  logs: Logs;
  log: Log;
  files: FileStore;
  /** Between checks of the file store and attempts to write pending entries. */
  checkIntervalMs?: number;
}

const CHECK_INTERVAL_MS = 5_000;

/**
 * Records outages of the database, its disk and the file store in the System Logs. An entry about
 * the database is written as soon as the database accepts it.
 */
export class Outages {
  readonly #deps: OutagesDeps;
  readonly #timer: NodeJS.Timeout;
  #pending: NewLogEntry[] = [];
  #unreachableSince: number | null = null;
  #writeProblem: { since: number; kind: WriteProblem } | null = null;
  #fileStoreDownSince: number | null = null;
  /** Checks the file store and writes pending entries. */
  readonly check = coalesce(() => this.#check());

  constructor(deps: OutagesDeps) {
    this.#deps = deps;
    const { bus, checkIntervalMs = CHECK_INTERVAL_MS } = deps;
    bus.onGap(() => this.#connectionChanged());
    this.#timer = setInterval(() => void this.check(), checkIntervalMs).unref();
  }

  /** Call it with every error of a request. Only errors of failed writes are recorded. */
  noteError(error: unknown): void {
    const kind = writeProblemOf(error);
    if (kind) this.#writeProblem ??= { since: Date.now(), kind };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    try {
      await this.#checkFileStore();
      await this.#writePending();
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'could not write an outage to the System Logs yet');
    }
  }

  #connectionChanged(): void {
    if (!this.#deps.bus.connected) {
      this.#unreachableSince ??= Date.now();
      return;
    }
    if (this.#unreachableSince === null) return;
    this.#pending.push(databaseOutageEntry(this.#unreachableSince));
    this.#unreachableSince = null;
    void this.check();
  }

  async #checkFileStore(): Promise<void> {
    const problem = await this.#deps.files.probe().then(
      () => null,
      (error: unknown) => (error instanceof FileStoreError ? error.message : 'The file store is unavailable.'),
    );
    const since = this.#fileStoreDownSince;
    if (problem !== null && since === null) {
      this.#fileStoreDownSince = Date.now();
      this.#deps.log.error(`no file can be stored: ${problem}`);
      this.#pending.push(fileStoreOutageEntry(problem, this.#fileStoreDownSince));
    }
    if (problem === null && since !== null) {
      this.#fileStoreDownSince = null;
      this.#pending.push(fileStoreRecoveredEntry(since));
    }
  }

  /** Throws while the database cannot write, which keeps what is pending for the next check. */
  async #writePending(): Promise<void> {
    const { db, logs } = this.#deps;
    if (this.#writeProblem !== null) {
      const { since, kind } = this.#writeProblem;
      await logs.write(db, writeProblemEntry(kind, since));
      this.#writeProblem = null;
    }
    for (let next = this.#pending[0]; next; next = this.#pending[0]) {
      await logs.write(db, next);
      this.#pending.shift();
    }
  }
}
