import { LRUCache } from 'lru-cache';

/** Calls in an hour to find the announced interviews of a funnel that are not stored. */
const MAX_CALLS_PER_HOUR = 300;
const HOUR_MS = 60 * 60_000;
/** An id that the list does not contain is not searched again during this time. */
const MISSING_AGE_MS = 2 * 60_000;
const MAX_FUNNELS = 10_000;
const MAX_MISSING = 100_000;

/**
 * Limits of the search for announced interviews, per process. Events of some services are not
 * signed, and one with an invented id would read a whole list.
 */
export class SearchLimits {
  /** The calls of each funnel. An entry expires an hour after its first call. */
  readonly #calls = new LRUCache<number, number>({ max: MAX_FUNNELS, ttl: HOUR_MS, noUpdateTTL: true });
  readonly #missing = new LRUCache<string, true>({ max: MAX_MISSING, ttl: MISSING_AGE_MS });

  /** Counts a call, unless the funnel has none left. */
  takeCall(funnelId: number): boolean {
    const calls = this.#calls.get(funnelId) ?? 0;
    if (calls >= MAX_CALLS_PER_HOUR) return false;
    this.#calls.set(funnelId, calls + 1);
    return true;
  }

  isMissing(funnelId: number, id: string): boolean {
    return this.#missing.has(keyOf(funnelId, id));
  }

  addMissing(funnelId: number, ids: Iterable<string>): void {
    for (const id of ids) this.#missing.set(keyOf(funnelId, id), true);
  }
}

const keyOf = (funnelId: number, id: string) => `${funnelId} ${id}`;
