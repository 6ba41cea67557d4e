import { LRUCache } from 'lru-cache';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { Log } from '#server/ports/log.ts';
import { currentActor } from '#server/request-context.ts';
import { findInterviewOfFile } from './interview-files.repo.ts';
import type { StoredInterview } from './interviews.repo.ts';

interface ViewingsDeps {
  db: Database;
  events: Pick<Events, 'record'>;
  log: Log;
  /** Milliseconds. Default: a monotonic clock. */
  clock?: () => number;
}

type ViewedInterview = Pick<StoredInterview, 'id' | 'title' | 'funnel_id'>;

/** Players send a request for every range, and pages read a transcript again after changes. */
const PAUSE_BETWEEN_VIEWINGS_MS = 30 * 60_000;
const MAX_REMEMBERED = 20_000;

/**
 * Records who loads recordings, plays them and reads transcripts: each once per viewing, which ends
 * when the account has not repeated it from the same address for 30 minutes. Each process counts
 * its own. Requests do not wait for it.
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
    this.#record(async ({ db, events }) => {
      const interview = await findInterviewOfFile(db, 'video', file);
      if (interview) await events.record(db, 'recording.loaded', viewed(interview));
    });
  }

  /** A player received the URL of a recording that is not stored, and loads it from there. */
  recordRemoteLoading(interview: ViewedInterview): void {
    if (this.#begins(`loading of ${interview.id}`))
      this.#record(({ db, events }) => events.record(db, 'recording.loaded', viewed(interview)));
  }

  /** A player reports that it plays, because it also loads recordings in advance. */
  recordPlaying(interview: ViewedInterview): void {
    if (this.#begins(`playing ${interview.id}`))
      this.#record(({ db, events }) => events.record(db, 'recording.played', viewed(interview)));
  }

  recordReading(interviews: readonly ViewedInterview[]): void {
    const opened = interviews.filter(({ id }) => this.#begins(`transcript ${id}`)).map(viewed);
    if (opened.length > 0)
      this.#record(({ db, events }) => events.record(db, 'transcripts.read', { interviews: opened }));
  }

  #begins(what: string): boolean {
    const { accountId, address } = currentActor();
    const key = `${accountId} ${address} ${what}`;
    if (this.#recent.get(key)) return false;
    this.#recent.set(key, true);
    return true;
  }

  #record(record: (deps: ViewingsDeps) => Promise<void>): void {
    record(this.#deps).catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, 'a viewing could not be recorded in the System Logs'),
    );
  }
}

const viewed = ({ id, title, funnel_id: funnelId }: ViewedInterview) => ({ interviewId: id, title, funnelId });
