import { hostname } from 'node:os';
import type { EventData } from '#contracts/events.ts';
import { coalesce } from '#server/async/single-flight.ts';
import type { Database } from '#server/db/database.ts';
import { type WriteProblem, writeProblemOf } from '#server/db/database-down.ts';
import type { Events } from '#server/events/events.ts';
import type { LiveWorkers } from '#server/jobs/live-workers.ts';
import type { LiveBus } from '#server/live/bus.ts';
import { type FileStore, FileStoreError, type FileStoreErrorKind } from '#server/ports/file-store.ts';
import type { Log } from '#server/ports/log.ts';

export interface OutagesDeps {
  db: Database;
  bus: LiveBus;
  workers: Pick<LiveWorkers, 'isMissing' | 'missingForMs'>;
  events: Events;
  log: Log;
  files: FileStore;
}

/** Between checks of the file store and attempts to record pending outages. */
const CHECK_INTERVAL_MS = 5_000;
const DISK_PROBLEMS: ReadonlySet<FileStoreErrorKind> = new Set(['full', 'read_only']);

type Outage = EventData<'outage.observed'>;

interface FileStoreOutage {
  since: number;
  /** The machine, if the problem is its disk. */
  machine: string | null;
}

/**
 * Records outages of the database, its disk, the file store and the workers in the System Logs,
 * each once for all processes. An entry about the database is written as soon as the database
 * accepts it.
 */
export class Outages {
  readonly #deps: OutagesDeps;
  readonly #timer: NodeJS.Timeout;
  #pending: Outage[] = [];
  #unreachableSince: number | null = null;
  #writeProblem: { since: number; kind: WriteProblem } | null = null;
  #fileStoreOutage: FileStoreOutage | null = null;
  #isWorkerMissing = false;
  /** Checks the file store and writes pending entries. */
  readonly check = coalesce(() => this.#check());

  constructor(deps: OutagesDeps) {
    this.#deps = deps;
    deps.bus.onGap(() => this.#connectionChanged());
    this.#timer = setInterval(() => void this.check(), CHECK_INTERVAL_MS).unref();
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
    this.#pending.push(outage('database', { since: this.#unreachableSince }));
    this.#unreachableSince = null;
    void this.check();
  }

  async #checkFileStore(): Promise<void> {
    const error = await this.#deps.files.probe().then(
      () => null,
      (failure: unknown) => failure,
    );
    const before = this.#fileStoreOutage;
    if (error !== null && before === null) {
      const problem = error instanceof FileStoreError ? error.message : 'The file store is unavailable.';
      const isOfMachine = error instanceof FileStoreError && DISK_PROBLEMS.has(error.kind);
      const begun = { since: Date.now(), machine: isOfMachine ? hostname() : null };
      this.#fileStoreOutage = begun;
      this.#deps.log.error(`no file can be stored: ${problem}`);
      this.#pending.push(outage('file-store', { ...begun, reason: problem }));
    }
    if (error === null && before !== null) {
      this.#fileStoreOutage = null;
      this.#pending.push(outage('file-store-over', before));
    }
  }

  #checkWorkers(): void {
    const { workers, log } = this.#deps;
    const isMissing = workers.isMissing();
    if (isMissing && !this.#isWorkerMissing) {
      log.error('no worker process is running: refreshes and steps wait');
      this.#pending.push(outage('workers', { since: Date.now() - workers.missingForMs() }));
    }
    this.#isWorkerMissing = isMissing;
  }

  /** Throws while the database cannot write, which keeps what is pending for the next check. */
  async #writePending(): Promise<void> {
    if (this.#writeProblem !== null) {
      const { since, kind } = this.#writeProblem;
      await this.#record(outage(`database-${kind}`, { since }));
      this.#writeProblem = null;
    }
    for (let next = this.#pending[0]; next; next = this.#pending[0]) {
      await this.#record(next);
      this.#pending.shift();
    }
  }

  #record(observed: Outage): Promise<void> {
    const { db, events } = this.#deps;
    return db.transaction().execute((tx) => events.record(tx, 'outage.observed', observed));
  }
}

/** `since`: when it began, in milliseconds since 1970. */
function outage(
  kind: Outage['kind'],
  { since, machine = null, reason = null }: { since: number } & Partial<Pick<Outage, 'machine' | 'reason'>>,
): Outage {
  const seconds = Math.max(1, Math.round((Date.now() - since) / 1_000));
  return { kind, since: new Date(since).toISOString(), seconds, machine, reason };
}
