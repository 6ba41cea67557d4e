import { hostname } from 'node:os';
import { coalesce } from '#server/async/single-flight.ts';
import type { Database } from '#server/db/database.ts';
import { type WriteProblem, writeProblemOf } from '#server/db/database-down.ts';
import type { Logs } from '#server/features/logs/logs.service.ts';
import type { LiveWorkers } from '#server/jobs/live-workers.ts';
import type { LiveBus } from '#server/live/bus.ts';
import { type FileStore, FileStoreError, type FileStoreErrorKind } from '#server/ports/file-store.ts';
import type { Log } from '#server/ports/log.ts';
import {
  databaseOutageEntry,
  fileStoreOutageEntry,
  fileStoreRecoveredEntry,
  noWorkerEntry,
  type OutageEntry,
  writeProblemEntry,
} from './operations-log.ts';

export interface OutagesDeps {
  db: Database;
  bus: LiveBus;
  workers: Pick<LiveWorkers, 'isMissing' | 'missingForMs'>;
  logs: Logs;
  log: Log;
  files: FileStore;
  /** Between checks of the file store and attempts to write pending entries. */
  checkIntervalMs?: number;
}

const CHECK_INTERVAL_MS = 5_000;
/** An outage that begins this soon after another one counts as the same. */
const SAME_OUTAGE_MS = 60_000;
const DISK_PROBLEMS: ReadonlySet<FileStoreErrorKind> = new Set(['full', 'read_only']);

interface FileStoreOutage {
  since: number;
  /** The machine, if the problem is its disk. */
  machine: string | null;
}

/**
 * Records outages of the database, its disk, the file store and the workers in the System Logs, each
 * once for all processes. An entry about the database is written as soon as the database accepts it.
 */
export class Outages {
  readonly #deps: OutagesDeps;
  readonly #timer: NodeJS.Timeout;
  #pending: OutageEntry[] = [];
  #unreachableSince: number | null = null;
  #writeProblem: { since: number; kind: WriteProblem } | null = null;
  #fileStoreOutage: FileStoreOutage | null = null;
  #isWorkerMissing = false;
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
      this.#checkWorkers();
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
    const error = await this.#deps.files.probe().then(
      () => null,
      (failure: unknown) => failure,
    );
    const outage = this.#fileStoreOutage;
    if (error !== null && outage === null) {
      const problem = error instanceof FileStoreError ? error.message : 'The file store is unavailable.';
      const isOfMachine = error instanceof FileStoreError && DISK_PROBLEMS.has(error.kind);
      const begun = { since: Date.now(), machine: isOfMachine ? hostname() : null };
      this.#fileStoreOutage = begun;
      this.#deps.log.error(`no file can be stored: ${problem}`);
      this.#pending.push(fileStoreOutageEntry(problem, begun));
    }
    if (error === null && outage !== null) {
      this.#fileStoreOutage = null;
      this.#pending.push(fileStoreRecoveredEntry(outage));
    }
  }

  #checkWorkers(): void {
    const { workers, log } = this.#deps;
    const isMissing = workers.isMissing();
    if (isMissing && !this.#isWorkerMissing) {
      log.error('no worker process is running: refreshes and steps wait');
      this.#pending.push(noWorkerEntry(Date.now() - workers.missingForMs()));
    }
    this.#isWorkerMissing = isMissing;
  }

  /** Throws while the database cannot write, which keeps what is pending for the next check. */
  async #writePending(): Promise<void> {
    if (this.#writeProblem !== null) {
      const { since, kind } = this.#writeProblem;
      await this.#writeOnce(writeProblemEntry(kind, since));
      this.#writeProblem = null;
    }
    for (let next = this.#pending[0]; next; next = this.#pending[0]) {
      await this.#writeOnce(next);
      this.#pending.shift();
    }
  }

  /** Other processes have seen the same outage, a little earlier or later. */
  #writeOnce({ since, ...entry }: OutageEntry): Promise<void> {
    return this.#deps.logs.writeOnce(entry, Date.now() - since + SAME_OUTAGE_MS);
  }
}
