import { LRUCache } from 'lru-cache';
import type { Failures } from '#contracts/interviews.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { InterviewRow } from '#server/features/interviews/interviews.repo.ts';
import { DayCounter, type DayCounts } from './day-counts.ts';
import {
  type DayCount,
  findFilterNames,
  findPage,
  type KnownFailures,
  type ListingRows,
  type ListOrder,
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
  order: ListOrder;
  texts: boolean;
  /** The account whose watched and reviewed interviews are marked. */
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
const MAX_PAGES = 2_000;
/** Sets of visible funnels whose failures are remembered. */
const MAX_FAILURES = 500;
/** Durations of more interviews are not summed, because it takes too long. */
const MAX_SUMMED = 1_000;

/**
 * Returns any page of any filter with its exact total, in about the time it takes to read ten rows.
 */
export class InterviewListing {
  readonly #db: Database;
  readonly #counter: DayCounter;
  readonly #pages = new LRUCache<string, KnownPage>({ max: MAX_PAGES });
  readonly #failures = new LRUCache<string, KnownFailures>({ max: MAX_FAILURES });

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
        return { rows: input.order === 'oldest' ? rows.toReversed() : rows, total: counts.total, failures };
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
    { skip, order }: { skip: number; order: ListOrder },
  ): Promise<number | null> {
    const counts = await this.#counter.currentCounts(filter);
    const left = counts.total - skip;
    if (left > MAX_SUMMED) return null;
    const position = positionOf(counts, { skip, limit: Math.max(left, 0), order });
    return sumDurations(this.#db, { filter, names: counts.names, position });
  }

  /**
   * Reads the page by its remembered ids when they belong to the version of the counts. Returns no
   * rows when the listing has changed since that version.
   */
  async #readPage(input: ListingPageInput, counts: DayCounts, isLastAttempt: boolean): Promise<ListingRows> {
    const { filter, page, limit, order, texts, accountId } = input;
    const { version, names } = counts;
    const { visibleFunnelIds } = filter;
    const visible = String(visibleFunnelIds);
    const options = { texts, accountId, visibleFunnelIds, knownFailures: this.#failures.get(visible) };
    const key = `${page} ${limit} ${order} ${filter.key}`;
    const known = this.#pages.get(key);
    if (!isLastAttempt && known?.version === version) return listKnownPage(this.#db, { ...known, ...options });

    const position = positionOf(counts, { skip: (page - 1) * limit, limit, order });
    const found = await findPage(this.#db, { filter, names, position, ...options });
    // A change of a length does not change the version.
    if (found.version === version && order !== 'longest')
      this.#pages.set(key, { version, ids: found.rows.map(({ id }) => id) });
    this.#failures.set(visible, { version: found.version, failures: found.failures });
    return found;
  }
}

/** A page without its first `skip` interviews in list order. */
interface PageInput {
  skip: number;
  limit: number;
  order: ListOrder;
}

function positionOf(counts: DayCounts, { skip, limit, order }: PageInput): PagePosition {
  const { total } = counts;
  if (order === 'newest') return onDays(counts, { offset: skip, limit });
  const end = Math.max(total - skip, 0);
  const after = Math.max(end - limit, 0);
  // The place, from the newest interview, of a page that is counted from the oldest one.
  if (order === 'oldest') return onDays(counts, { offset: after, limit: end - after });
  return { days: null, hasHidden: true, before: Math.min(skip, total), size: end - after, after, total };
}

/** Derives the days of a page, and its offset within them, from the counts by day. */
function onDays({ days, total }: DayCounts, { offset, limit }: { offset: number; limit: number }): PagePosition {
  let earlier = 0;
  const first = days.findIndex(({ n }) => {
    if (earlier + n > offset) return true;
    earlier += n;
    return false;
  });
  if (first < 0 || limit === 0) return { days: [], hasHidden: false, before: 0, size: 0, after: 0, total };

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
    hasHidden: pageDays.some(({ hasHidden }) => hasHidden),
    before,
    size,
    after: available - size,
    total,
  };
}
