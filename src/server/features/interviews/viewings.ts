import { LRUCache } from 'lru-cache';
import type { Database } from '#server/db/database.ts';
import type { Logs, NewLogEntry } from '#server/features/logs/logs.service.ts';
import type { Log } from '#server/ports/log.ts';
import { currentActor } from '#server/request-context.ts';
import { findInterviewOfVideo } from './interviews.repo.ts';
import { type LoggedInterview, loadEntry, playEntry, readTranscriptsEntry } from './interviews-log.ts';

interface ViewingsDeps {
  db: Database;
  logs: Pick<Logs, 'write'>;
  log: Log;
  /** Milliseconds. Default: a monotonic clock. */
  clock?: () => number;
}

/** Players send a request for every range, and pages read a transcript again after changes. */
const PAUSE_BETWEEN_VIEWINGS_MS = 30 * 60_000;
const MAX_REMEMBERED = 20_000;

/**
 * Records who loads recordings, plays them and reads transcripts: each once per viewing, which ends
 * when the account has not repeated it from the same address for 30 minutes. Each process counts
 * its own. Requests do not wait for the entry.
 */
export class Viewings {
  readonly #deps: ViewingsDeps;
  readonly #recent: LRUCache<string, true>;

  constructor(deps: ViewingsDeps) {
    this.#deps = deps;
    this.#recent = new LRUCache({
      max: MAX_REMEMBERED,
      ttl: PAUSE_BETWEEN_VIEWINGS_MS,
      ttlResolution: 0,
      updateAgeOnGet: true,
      ...(deps.clock && { perf: { now: deps.clock } }),
    });
  }

  /** @param file the name of the recording in the file store */
  recordLoading(file: string): void {
    if (!this.#begins(`loading ${file}`)) return;
    this.#write(async () => {
      const interview = await findInterviewOfVideo(this.#deps.db, file);
      return interview ? loadEntry(interview) : null;
    });
  }

  /** A player received the address of a recording that is not stored, and loads it from there. */
  recordRemoteLoading({ id, title }: LoggedInterview): void {
    if (this.#begins(`loading of ${id}`)) this.#write(async () => loadEntry({ id, title }));
  }

  /** A player reports that it plays, because it also loads recordings in advance. */
  recordPlaying({ id, title }: LoggedInterview): void {
    if (this.#begins(`playing ${id}`)) this.#write(async () => playEntry({ id, title }));
  }

  recordReading(interviews: readonly LoggedInterview[]): void {
    const opened = interviews.filter(({ id }) => this.#begins(`transcript ${id}`));
    if (opened.length > 0) this.#write(async () => readTranscriptsEntry(opened));
  }

  #begins(what: string): boolean {
    const { accountId, address } = currentActor();
    const key = `${accountId} ${address} ${what}`;
    if (this.#recent.get(key)) return false;
    this.#recent.set(key, true);
    return true;
  }

  #write(entryOf: () => Promise<NewLogEntry | null>): void {
    const { db, logs, log } = this.#deps;
    entryOf()
      .then((entry) => (entry ? logs.write(db, entry) : undefined))
      .catch((error: unknown) => log.warn({ err: error }, 'a viewing could not be recorded in the System Logs'));
  }
}
