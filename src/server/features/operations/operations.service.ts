import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/database.ts';
import { writeTrouble } from '../../db/database-down.ts';
import type { LiveBus } from '../../live/bus.ts';
import { type FileStore, FileStoreError } from '../../ports/file-store.ts';
import type { Logs, NewLogEntry } from '../logs/logs.service.ts';

export { Readiness } from './readiness.ts';

export interface OutageDependencies {
  db: Database;
  bus: LiveBus;
  logs: Logs;
  log: FastifyBaseLogger;
  files: FileStore;
  /** Between looks at the file store, and tries to write down what has passed. */
  lookMs?: number;
}

const LOOK_MS = 5_000;

/**
 * Tells the staff, in the system log, when what everything stands on was away: the database, its disk, the file store. While the
 * database is, nobody can be told there; the entry follows as soon as it can be written.
 */
export class Outages {
  readonly #on: OutageDependencies;
  readonly #timer: NodeJS.Timeout;
  #waiting: NewLogEntry[] = [];
  #databaseAway: number | null = null;
  #unwritten: { since: number; why: keyof typeof UNWRITTEN } | null = null;
  #filesTrouble: { since: number; text: string } | null = null;
  #looking = false;

  constructor(dependencies: OutageDependencies) {
    this.#on = dependencies;
    const { bus, lookMs = LOOK_MS } = dependencies;
    bus.onGap(() => this.#gap());
    this.#timer = setInterval(() => void this.look(), lookMs).unref();
  }

  /** Whoever sees an error tells; most mean nothing to us. */
  noticed(error: unknown): void {
    const why = writeTrouble(error);
    if (why) this.#unwritten ??= { since: Date.now(), why };
  }

  /** Looks at the file store, and writes down what there is to tell. */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      await this.#lookAtFiles();
      await this.#tell();
    } catch (error) {
      this.#on.log.debug({ err: error }, 'an outage cannot be written down yet');
    } finally {
      this.#looking = false;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #gap(): void {
    if (!this.#on.bus.connected) {
      this.#databaseAway ??= Date.now();
      return;
    }
    const since = this.#databaseAway;
    this.#databaseAway = null;
    if (since === null) return;
    const summary = `The database could not be reached for ${spell(since)}. What was asked for meanwhile was refused; what was under way goes on by itself.`;
    this.#waiting.push(entry('database-outage', summary, since));
    void this.look();
  }

  async #lookAtFiles(): Promise<void> {
    const text = await this.#on.files.probe().then(
      () => null,
      (error: unknown) => (error instanceof FileStoreError ? error.message : 'The file store cannot be used.'),
    );
    const before = this.#filesTrouble;
    if (text !== null && before === null) {
      this.#filesTrouble = { since: Date.now(), text };
      this.#on.log.error(`no file can be stored: ${text}`);
      this.#waiting.push(entry('file-store-outage', `Videos and thumbnails cannot be stored. ${text}`, Date.now()));
    }
    if (text === null && before !== null) {
      this.#filesTrouble = null;
      const summary = `Videos and thumbnails can be stored again, after ${spell(before.since)}. The next refresh fetches what is missing.`;
      this.#waiting.push({ ...entry('file-store-outage', summary, before.since), type: 'system', status: 'success' });
    }
  }

  /** Writing is also how we find out that the database can write again. */
  async #tell(): Promise<void> {
    const { db, logs } = this.#on;
    if (this.#unwritten !== null) {
      const { since, why } = this.#unwritten;
      const { action, because } = UNWRITTEN[why];
      await logs.write(
        db,
        entry(action, `The database could not store anything for ${spell(since)}: ${because}.`, since),
      );
      this.#unwritten = null;
    }
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      await logs.write(db, next);
      this.#waiting.shift();
    }
  }
}

/** What the log says of a database that was there and could not write. */
const UNWRITTEN = {
  full: { action: 'database-full', because: 'its disk was full' },
  unwritable: { action: 'database-unwritable', because: 'it was read-only, or its disk failed' },
} as const;

const entry = (action: string, summary: string, since: number): NewLogEntry => ({
  type: 'error',
  action,
  status: 'error',
  summary,
  metadata: { since: new Date(since).toISOString() },
});

function spell(since: number): string {
  const seconds = Math.max(1, Math.round((Date.now() - since) / 1_000));
  if (seconds < 120) return `${seconds} second${seconds === 1 ? '' : 's'}`;
  return `${Math.round(seconds / 60)} minutes`;
}
