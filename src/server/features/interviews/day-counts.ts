import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { PREPARED } from '../../db/prepared.ts';
import { allOf, columnConditions, dateConditions, type ListingFilter } from './listing-filter.ts';
import { Recent } from './listing-memory.ts';
import { type Lookup, lookUp, type Names } from './listing-names.ts';
import { FEW_DAYS, searchedDays, searchedListing } from './listing-search.ts';

/** How many interviews a filter finds on each day, exact at a version of the listing. */
export interface DayCounts {
  version: number;
  total: number;
  /** Newest day first; only days that have any. */
  days: readonly { day: string; n: number }[];
  /** What the filter's names mean at this version. */
  names: Names;
}

/** Filters remembered at the same time; a year of days takes about 20 KB. */
const REMEMBERED = 200;

interface CountRow {
  day: string;
  n: number;
}

interface Counted {
  filter: ListingFilter;
  names: Names;
  /** Which days; null for all. */
  days: string[] | null;
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
    const { version, names } = await lookUp(this.#db, filter, null);
    const rows = await this.#countDays({ filter, names, days: null });
    return dayCounts({ version, names }, new Map(rows.map(({ day, n }) => [day, n])));
  }

  async #recount(filter: ListingFilter, before: DayCounts): Promise<DayCounts> {
    const { version, names, changed } = await lookUp(this.#db, filter, before.version);
    const known = new Map(before.days.map(({ day, n }) => [day, n]));
    for (const day of changed) known.delete(day);
    const rows = changed.length > 0 ? await this.#countDays({ filter, names, days: changed }) : [];
    for (const { day, n } of rows) known.set(day, n);
    return dayCounts({ version, names }, known);
  }

  async #countDays(counted: Counted): Promise<CountRow[]> {
    // How much a word finds decides which plan is good, so a search is planned each time.
    const prepared = counted.names.words.length === 0 ? PREPARED : sql``;
    const { rows } =
      await sql<CountRow>`${prepared} SELECT day, n::int FROM ${countedDays(counted)} AS counted`.execute(this.#db);
    return rows;
  }
}

/**
 * A table of days and how many interviews they have. Without a search, `listing_count` has the numbers already; only the days on which
 * a date range begins or ends are counted one by one. With a search, the matching rows are counted.
 */
function countedDays({ filter, names, days }: Counted): RawBuilder<unknown> {
  const onDays = days ? [sql<SqlBool>`l.day = ANY(${days}::date[])`] : [];
  const byColumns = allOf([...columnConditions(filter, names), ...onDays]);
  const withDates = allOf([byColumns, ...dateConditions(filter)]);
  if (names.words.length > 0) {
    const isFew = days !== null && days.length <= FEW_DAYS;
    const found = isFew ? searchedDays(names.words, withDates) : searchedListing(names.words, withDates);
    return sql`(SELECT day, count(*) AS n FROM ${found} AS found GROUP BY day)`;
  }
  const [first, last] = [dayOf(filter.from), dayOf(filter.to)];
  const edges = [first, last].filter((day) => day !== null && (days === null || days.includes(day)));
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
 * What is looked up before the count says of which version the counts are. What changed in between marked its days, so the next look
 * counts them again.
 */
function dayCounts({ version, names }: Pick<Lookup, 'version' | 'names'>, known: Map<string, number>): DayCounts {
  const days = [...known].flatMap(([day, n]) => (n > 0 ? [{ day, n }] : [])).sort((a, b) => (a.day < b.day ? 1 : -1));
  return { version, total: days.reduce((sum, { n }) => sum + n, 0), days, names };
}
