import type { EventData } from '#contracts/events.ts';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';

const RECORD_INTERVAL_MS = 60_000;

export type RefusalCause = EventData<'webhook-events.refused'>['cause'];

/** Records refused events at most once a minute, with the number of those since the last time. */
export class RefusedEvents {
  readonly #deps: { db: Database; events: Events };
  #recordedAt = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(deps: { db: Database; events: Events }) {
    this.#deps = deps;
  }

  async add(cause: RefusalCause): Promise<void> {
    this.#count += 1;
    const now = performance.now();
    if (now - this.#recordedAt < RECORD_INTERVAL_MS) return;
    this.#recordedAt = now;
    const count = this.#count;
    this.#count = 0;
    await this.#deps.events.record(this.#deps.db, 'webhook-events.refused', { cause, count });
  }
}
