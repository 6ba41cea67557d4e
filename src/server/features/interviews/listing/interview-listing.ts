import { LRUCache } from 'lru-cache';
import type { Failures } from '#contracts/interviews.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { InterviewRow } from '#server/features/interviews/interviews.repo.ts';
import { DayCounter, type DayCounts } from './day-counts.ts';
import {
  type DayCount,
  findFilterNames,
  findPage,
  type ListingRows,
  listKnownPage,
  listMatchingIds,
  type PagePosition,
  sumDurations,
} from './listing.repo.ts';
import type { ListingFilter } from './listing-filter.ts';

export interface ListingPageInput {
  filter: ListingFilter;
  page: number;
  limit: number;
  isOldestFirst: boolean;
  texts: boolean;
  /** The account whose watched interviews are marked. */
  accountId: number | null;
}

/** The interviews of a page at one version of the listing. */
interface KnownPage {
  version: number;
  ids: string[];
}

/**
 * Attempts while interviews change during the read. The last attempt returns current interviews
 * with a total, and a position derived from it, that are some milliseconds older.
 */
const MAX_ATTEMPTS = 4;
/**
 * Pages remembered at the same time. One of ten interviews takes about 1 KB; a page has at most
 * 100.
 */
const MAX_PAGES = 500;
/** Durations of more interviews are not summed, because it takes too long. */
const MAX_SUMMED = 1_000;

/**
 * Returns any page of any filter with its exact total, in about the time it takes to read ten rows.
 */
export class InterviewListing {
  readonly #db: Database;
  readonly #counter: DayCounter;
  readonly #pages = new LRUCache<string, KnownPage>({ max: MAX_PAGES });
  #failures: { version: number; failures: Failures } | null = null;

  constructor(db: Database) {
    this.#db = db;
    this.#counter = new DayCounter(db);
  }

  /** Returns a page and the total of the same moment. */
  async read(input: ListingPageInput): Promise<{ rows: InterviewRow[]; total: number; failures: Failures }> {
    let counts = await this.#counter.lastCounts(input.filter);
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === MAX_ATTEMPTS;
      const { version, rows, failures } = await this.#readPage(input, counts, isLast);
      if (version === counts.version || isLast)
        return { rows: input.isOldestFirst ? rows.toReversed() : rows, total: counts.total, failures };
      counts = await this.#counter.currentCounts(input.filter);
    }
  }

  /** The ids of all matching interviews in list order, `limit` at most. */
  async listIds(tx: Executor, filter: ListingFilter, limit: number): Promise<string[]> {
    const { names } = await findFilterNames(tx, filter, null);
    return listMatchingIds(tx, { filter, names, limit });
  }

  async count(filter: ListingFilter): Promise<number> {
    return (await this.#counter.currentCounts(filter)).total;
  }

  /**
   * Returns the seconds of the interviews after the first `skip`. Null when they are too many.
   */
  async durationAfter(
    filter: ListingFilter,
    { skip, isOldestFirst }: { skip: number; isOldestFirst: boolean },
  ): Promise<number | null> {
    const counts = await this.#counter.currentCounts(filter);
    const left = counts.total - skip;
    if (left > MAX_SUMMED) return null;
    const position = positionOf(counts, { offset: isOldestFirst ? 0 : skip, limit: Math.max(left, 0) });
    return sumDurations(this.#db, { filter, names: counts.names, position });
  }

  /**
   * Reads the page by its remembered ids when they belong to the version of the counts. Returns no
   * rows when the listing has changed since that version.
   */
  async #readPage(input: ListingPageInput, counts: DayCounts, isLastAttempt: boolean): Promise<ListingRows> {
    const { filter, page, limit, isOldestFirst, texts, accountId } = input;
    const { version, names } = counts;
    const options = { texts, accountId, knownFailures: this.#failures };
    const key = `${page} ${limit} ${isOldestFirst} ${filter.key}`;
    const known = this.#pages.get(key);
    if (!isLastAttempt && known?.version === version) return listKnownPage(this.#db, { ...known, ...options });

    const skip = (page - 1) * limit;
    const position = positionOf(counts, isOldestFirst ? mirror(counts, { skip, limit }) : { offset: skip, limit });
    const found = await findPage(this.#db, { filter, names, position, ...options });
    if (found.version === version) this.#pages.set(key, { version, ids: found.rows.map(({ id }) => id) });
    this.#failures = { version: found.version, failures: found.failures };
    return found;
  }
}

/** The place, from the newest interview, of a page that is counted from the oldest one. */
function mirror({ total }: DayCounts, { skip, limit }: { skip: number; limit: number }) {
  const end = Math.max(total - skip, 0);
  const offset = Math.max(end - limit, 0);
  return { offset, limit: end - offset };
}

/** Derives the days of a page, and its offset within them, from the counts by day. */
function positionOf({ days, total }: DayCounts, { offset, limit }: { offset: number; limit: number }): PagePosition {
  let earlier = 0;
  const first = days.findIndex(({ n }) => {
    if (earlier + n > offset) return true;
    earlier += n;
    return false;
  });
  if (first < 0 || limit === 0) return { days: [], hasWatched: false, before: 0, size: 0, after: 0, total };

  const before = offset - earlier;
  const pageDays: DayCount[] = [];
  let available = -before;
  for (const counted of days.slice(first)) {
    pageDays.push(counted);
    available += counted.n;
    if (available >= limit) break;
  }
  const size = Math.min(limit, available);
  return {
    days: pageDays.map(({ day }) => day),
    hasWatched: pageDays.some(({ hasWatched }) => hasWatched),
    before,
    size,
    after: available - size,
    total,
  };
}
