import type { Database } from '#server/db/database.ts';
import type { Logs } from '#server/features/logs/logs.service.ts';
import { refusedEventsEntry } from './automation-log.ts';

const LOG_INTERVAL_MS = 60_000;

/** Logs refused events at most once a minute, with the number of those since the last entry. */
export class RefusedEvents {
  readonly #deps: { db: Database; logs: Logs };
  #loggedAt = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(deps: { db: Database; logs: Logs }) {
    this.#deps = deps;
  }

  async add(reason: string): Promise<void> {
    this.#count += 1;
    const now = performance.now();
    if (now - this.#loggedAt < LOG_INTERVAL_MS) return;
    this.#loggedAt = now;
    const count = this.#count;
    this.#count = 0;
    await this.#deps.logs.write(this.#deps.db, refusedEventsEntry(reason, count));
  }
}
