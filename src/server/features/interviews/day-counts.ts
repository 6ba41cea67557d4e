import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { allOf, columnConditions, dateConditions, type ListingFilter } from './listing-filter.ts';
import { Recent } from './listing-memory.ts';
import { lookUpNames, type Names } from './listing-names.ts';
import { searchedListing } from './listing-search.ts';

/** How many interviews a filter finds on each day, exact at a version of the listing. */
export interface DayCounts {
  version: number;
  total: number;
  /** Newest day first; only days that have any. */
  days: readonly { day: string; n: number }[];
  /** What the filter's names mean at this version. */
  names: Names | null;
}

/** Filters remembered at the same time; a year of days takes about 20 KB. */
const REMEMBERED = 200;

interface CountRow {
  version: number;
  day: string | null;
  n: number;
}

interface Counted {
  filter: ListingFilter;
  names: Names | null;
  /** Which days. */
  days: RawBuilder<unknown>;
}

/**
 * Counts by day for each filter, remembered until the listing changes; then only the days that changed are counted again.
 * docs/decisions/0002-exact-totals.md says why.
 */
export class DayCounter {
  readonly #db: Database;
  readonly #remembered = new Recent<DayCounts>(REMEMBERED);
  readonly #counting = new Map<string, Promise<DayCounts>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** The last counts of this filter, possibly of an older version, or fresh ones. */
  async lastKnown(filter: ListingFilter): Promise<DayCounts> {
    return this.#remembered.get(filter.key) ?? this.fresh(filter);
  }

  /** Counts as of now. Requests that ask for the same at the same moment share one query. */
  fresh(filter: ListingFilter): Promise<DayCounts> {
    const underWay = this.#counting.get(filter.key);
    if (underWay) return underWay;
    const counting = this.#count(filter).finally(() => this.#counting.delete(filter.key));
    this.#counting.set(filter.key, counting);
    return counting;
  }

  async #count(filter: ListingFilter): Promise<DayCounts> {
    const before = this.#remembered.get(filter.key);
    const counts = before ? await this.#recount(filter, before) : await this.#countAll(filter);
    this.#remembered.set(filter.key, counts);
    return counts;
  }

  async #countAll(filter: ListingFilter): Promise<DayCounts> {
    const names = await lookUpNames(this.#db, filter);
    const counted = countedDays({ filter, names, days: sql`true` });
    const { rows } = await sql<CountRow>`
      SELECT state.version, counted.day, counted.n FROM listing_state AS state LEFT JOIN ${counted} AS counted ON true
    `.execute(this.#db);
    return dayCounts(rows, names, new Map());
  }

  /** One statement, so that the version and the counts come from one snapshot. */
  async #recount(filter: ListingFilter, before: DayCounts): Promise<DayCounts> {
    const names = await lookUpNames(this.#db, filter);
    const counted = countedDays({ filter, names, days: sql`l.day IN (SELECT day FROM changed)` });
    const { rows } = await sql<CountRow>`
      WITH changed AS MATERIALIZED (SELECT day FROM listing_day WHERE version > ${before.version})
      SELECT state.version, changed.day, coalesce(counted.n, 0) AS n
      FROM listing_state AS state LEFT JOIN changed ON true LEFT JOIN ${counted} AS counted ON counted.day = changed.day
    `.execute(this.#db);
    return dayCounts(rows, names, new Map(before.days.map(({ day, n }) => [day, n])));
  }
}

/**
 * A table of days and how many interviews they have. Without a search, `listing_count` has the numbers already; only the days on which
 * a date range begins or ends are counted one by one. With a search, the matching rows are counted.
 */
function countedDays({ filter, names, days }: Counted): RawBuilder<unknown> {
  const byColumns = sql`${allOf(columnConditions(filter, names))} AND ${days}`;
  const withDates = sql<never>`${byColumns} AND ${allOf(dateConditions(filter))}`;
  if (names && names.words.length > 0)
    return sql`(SELECT day, count(*) AS n FROM ${searchedListing(names.words, withDates)} AS found GROUP BY day)`;
  const [first, last] = [dayOf(filter.from), dayOf(filter.to)];
  const edges = [first, last].filter((day) => day !== null);
  return sql`(
    SELECT l.day, sum(l.n) AS n FROM listing_count AS l
    WHERE ${byColumns} AND (${first}::date IS NULL OR l.day > ${first}::date) AND (${last}::date IS NULL OR l.day < ${last}::date)
    GROUP BY l.day
    UNION ALL
    SELECT l.day, count(*) AS n FROM listing AS l WHERE l.day = ANY(${edges}::date[]) AND ${withDates} GROUP BY l.day
  )`;
}

/** The UTC day of a moment, as `listing.day` has it. */
const dayOf = (moment: Date | null): string | null => moment?.toISOString().slice(0, 10) ?? null;

/**
 * Names are looked up before the count. When one was changed in between, the counts are only said to be of the version of the
 * look-up: that change marked its days, so the next look counts them again.
 */
function dayCounts(rows: CountRow[], names: Names | null, known: Map<string, number>): DayCounts {
  for (const { day, n } of rows) if (day !== null) known.set(day, Number(n));
  const days = [...known].flatMap(([day, n]) => (n > 0 ? [{ day, n }] : [])).sort((a, b) => (a.day < b.day ? 1 : -1));
  const counted = rows[0]?.version ?? 0;
  const version = Math.min(counted, names?.version ?? counted);
  return { version, total: days.reduce((sum, { n }) => sum + n, 0), days, names };
}
