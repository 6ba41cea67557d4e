import { LRUCache } from 'lru-cache';
import { singleFlight } from '#server/async/single-flight.ts';
import type { Database } from '#server/db/database.ts';
import { countByDay, type DayCount, type FilterNames, findFilterNames } from './listing.repo.ts';
import type { ListingFilter } from './listing-filter.ts';

/**
 * The number of interviews that a filter finds on each day, exact at one version of the listing.
 */
export interface DayCounts {
  version: number;
  total: number;
  /** Newest day first, without empty days. */
  days: readonly DayCount[];
  /** The meaning of the filter's names at this version. */
  names: FilterNames;
}

/** Total for all cached filters, about 30 MB. Accounts with different funnels share no filter. */
const MAX_DAYS = 500_000;
/** The size of a filter without its days. */
const FILTER_SIZE = 20;

/**
 * Counts by day for each filter, remembered until the listing changes; then only the changed days
 * are counted again.
 */
export class DayCounter {
  readonly #db: Database;
  readonly #remembered = new LRUCache<string, DayCounts>({
    maxSize: MAX_DAYS,
    sizeCalculation: ({ days }) => FILTER_SIZE + days.length,
  });

  constructor(db: Database) {
    this.#db = db;
  }

  /** The last counts of this filter, possibly of an older version, or fresh ones. */
  async lastCounts(filter: ListingFilter): Promise<DayCounts> {
    return this.#remembered.get(filter.key) ?? this.currentCounts(filter);
  }

  /** Counts as of now. Concurrent requests with the same filter share one query. */
  readonly currentCounts = singleFlight(
    async (filter: ListingFilter): Promise<DayCounts> => {
      const counts = await this.#count(filter, this.#remembered.get(filter.key));
      this.#remembered.set(filter.key, counts);
      return counts;
    },
    (filter) => filter.key,
  );

  /** Counts the days that have changed since `before`, or all days. */
  async #count(filter: ListingFilter, before: DayCounts | undefined): Promise<DayCounts> {
    const { version, names, changedDays } = await findFilterNames(this.#db, filter, before?.version ?? null);
    const counts = new Map(before?.days.map((counted) => [counted.day, counted]));
    for (const day of changedDays) counts.delete(day);
    const days = before ? changedDays : null;
    const rows = days?.length === 0 ? [] : await countByDay(this.#db, { filter, names, days });
    for (const counted of rows) counts.set(counted.day, counted);
    return toDayCounts(version, names, counts);
  }
}

/**
 * The version was read before the rows were counted. A change in between has marked its days with a
 * later version, so the next recount includes them.
 */
function toDayCounts(version: number, names: FilterNames, counts: ReadonlyMap<string, DayCount>): DayCounts {
  const days = [...counts.values()].filter(({ n }) => n > 0).sort((a, b) => (a.day < b.day ? 1 : -1));
  return { version, total: days.reduce((sum, { n }) => sum + n, 0), days, names };
}
