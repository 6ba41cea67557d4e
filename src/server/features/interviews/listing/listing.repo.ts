import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Failures, ListQuery } from '#contracts/interviews.ts';
import type { Database, Executor } from '#server/db/database.ts';
import { PREPARED } from '#server/db/prepared.ts';
import { ALL_FAILURES_PERMANENT } from '#server/db/step-columns.ts';
import type { InterviewRow } from '#server/features/interviews/interviews.repo.ts';
import { pushOf } from '#server/features/interviews/push.repo.ts';
import { separateAnswers } from '#server/features/interviews/segments/segments.repo.ts';
import type { ListingFilter } from './listing-filter.ts';
import { hiddenInterviews, isDecidedBy, isWatchedBy, markConditions, recommendationOf } from './marks.repo.ts';
import { type SearchWord, searchByIndex, searchByScan, searchWord, splitByClients } from './search.repo.ts';

/**
 * The names of a filter, resolved to funnels. Every change of a client's name changes the listing's
 * version.
 */
export interface FilterNames {
  words: SearchWord[];
  /** All funnels; empty without a search. */
  funnelIds: number[];
  /** The funnels of the filter's clients; null when it has none. */
  clientFunnelIds: number[] | null;
}

export interface DayCount {
  /** UTC, as `2026-03-01`. */
  day: string;
  n: number;
  /** False when the filters by watched and reviewed interviews hide no interview of this day. */
  hasHidden: boolean;
}

export type ListOrder = NonNullable<ListQuery['sort']>;

/** The place of a page among the interviews that its filter finds. */
export interface PagePosition {
  /** The days of the page, newest first. Null when the list is in the order of length. */
  days: string[] | null;
  /** False when the filters by watched and reviewed interviews hide no interview of these days. */
  hasHidden: boolean;
  /** Interviews of these days before the page, on it, and after it. */
  before: number;
  size: number;
  after: number;
  /** Interviews of all days. */
  total: number;
}

/** The rows of a page, and the version of the listing they belong to. */
export interface ListingRows {
  version: number;
  rows: InterviewRow[];
  failures: Failures;
}

/** A search reads up to this many days row by row; for more, its index is faster. */
const MAX_SCANNED_DAYS = 20;
/** A word that finds at most this many interviews is looked up in its index. */
const MAX_INDEXED_MATCHES = 2_000;

export const NEWEST_FIRST = sql`l.day DESC, l.recorded_at DESC, l.interview_id DESC`;
export const OLDEST_FIRST = sql`l.day, l.recorded_at, l.interview_id`;
const LONGEST_FIRST = sql`l.duration_seconds DESC, l.recorded_at DESC, l.interview_id DESC`;
const SHORTEST_FIRST = sql`l.duration_seconds, l.recorded_at, l.interview_id`;
/**
 * With the columns of `listing` that filters use. The indexes `interview_longest…` contain them.
 */
const WITH_DURATIONS = sql`(
  SELECT id AS interview_id, funnel_id, recorded_at, facts, archived_at IS NOT NULL AS archived, duration_seconds
  FROM interview
)`;

/**
 * Resolves the client names, and lists the days that changed since a version (none for null). This
 * runs before the large queries and not inside them: with literal values those are planned faster
 * and use their index.
 */
export async function findFilterNames(
  db: Executor,
  { words, clientNames }: Pick<ListingFilter, 'words' | 'clientNames'>,
  since: number | null,
): Promise<{ version: number; names: FilterNames; changedDays: string[] }> {
  const { rows } = await sql<{
    version: number;
    changedDays: string[];
    ofClients: number[];
    all: number[];
    word: string | null;
    ofWord: number[];
  }>`${PREPARED}
    SELECT state.version, lower(search.word) AS word,
      ARRAY(
        SELECT to_char(day, 'YYYY-MM-DD') FROM listing_day WHERE listing_day.version > ${since}::bigint
      ) AS "changedDays",
      ARRAY(SELECT id FROM funnel WHERE client_name = ANY(${clientNames ?? []}::text[])) AS "ofClients",
      ARRAY(SELECT id FROM funnel WHERE search.word IS NOT NULL) AS all,
      ARRAY(SELECT id FROM funnel WHERE strpos(lower(client_name), lower(search.word)) > 0) AS "ofWord"
    FROM listing_state AS state LEFT JOIN unnest(${words}::text[]) WITH ORDINALITY AS search (word, at) ON true
    ORDER BY at
  `.execute(db);
  return {
    version: rows[0]?.version ?? 0,
    changedDays: rows[0]?.changedDays ?? [],
    names: {
      words: rows.flatMap(({ word, ofWord }) => (word === null ? [] : [searchWord(word, ofWord)])),
      funnelIds: rows[0]?.all ?? [],
      clientFunnelIds: clientNames && (rows[0]?.ofClients ?? []),
    },
  };
}

interface CountInput {
  filter: ListingFilter;
  names: FilterNames;
  /** The days to count; null for all. */
  days: string[] | null;
}

export async function countByDay(db: Database, input: CountInput): Promise<DayCount[]> {
  // A search is planned each time: the best plan depends on how much its words find.
  const prepared = input.names.words.length === 0 && markConditions(input.filter).length === 0 ? PREPARED : sql``;
  const { rows } = await sql<DayCount>`${prepared}
    SELECT day, n::int, "hasHidden" FROM ${dayCounts(input)} AS counted`.execute(db);
  return rows;
}

/**
 * A table of days and their counts. With a search, the interviews of clients whose name contains
 * all words are counted without it, and the others that match are counted row by row.
 */
function dayCounts(input: CountInput): RawBuilder<unknown> {
  const { filter, names, days } = input;
  const onDays = days ? [sql<SqlBool>`l.day = ANY(${days}::date[])`] : [];
  const byColumns = allOf([...columnConditions(filter, names), ...onDays]);
  if (names.words.length === 0) return storedCounts(input, byColumns);

  const { matching, others, words } = splitByClients(names);
  const isIn = (funnelIds: number[]) => sql<SqlBool>`l.funnel_id = ANY(${funnelIds}::int[])`;
  const isFewDays = days !== null && days.length <= MAX_SCANNED_DAYS;
  const where = allOf([
    byColumns,
    ...dateConditions(filter),
    ...markConditions(filter),
    ...(matching.length > 0 ? [isIn(others)] : []),
  ]);
  const found = isFewDays ? searchByScan(words, where) : searchByIndex(words, where);
  const searched = sql`SELECT day, count(*) AS n, true AS "hasHidden" FROM ${found} AS found GROUP BY day`;
  if (matching.length === 0) return sql`(${searched})`;
  const ofClients = storedCounts(input, allOf([byColumns, isIn(matching)]));
  if (others.length === 0) return ofClients;
  // True, because the searched part has no row for a day on which all its matches are watched.
  return sql`(
    SELECT day, sum(n) AS n, true AS "hasHidden"
    FROM (${searched} UNION ALL SELECT * FROM ${ofClients} AS stored) AS parts GROUP BY day
  )`;
}

/**
 * The counts of all interviews that the filter finds without its search, from `listing_count`. Only
 * the first and last day of a date range are counted row by row.
 */
function storedCounts({ filter, days }: CountInput, byColumns: RawBuilder<SqlBool>): RawBuilder<unknown> {
  const withDates = allOf([byColumns, ...dateConditions(filter), ...markConditions(filter)]);
  const { decidedBy } = filter;
  if (decidedBy)
    return sql`(
      SELECT l.day, count(*) AS n, true AS "hasHidden" FROM review AS r JOIN listing AS l USING (interview_id)
      WHERE ${isDecidedBy(decidedBy)} AND ${withDates} GROUP BY l.day
    )`;
  const [first, last] = [utcDay(filter.from), utcDay(filter.to)];
  const edges = [first, last].filter((day) => day !== null && (days === null || days.includes(day)));
  const inside = sql`${byColumns}
    AND (${first}::date IS NULL OR l.day > ${first}::date) AND (${last}::date IS NULL OR l.day < ${last}::date)`;
  const counts = sql`
    SELECT l.day, sum(l.n) AS n, false AS "hasHidden" FROM listing_count AS l WHERE ${inside} GROUP BY l.day
    UNION ALL
    SELECT l.day, count(*) AS n, true AS "hasHidden" FROM listing AS l WHERE l.day = ANY(${edges}::date[]) AND ${withDates} GROUP BY l.day`;
  const marked = hiddenInterviews(filter);
  if (marked.length === 0) return sql`(${counts})`;
  // An account has watched or reviewed far fewer interviews than there are: subtract them.
  return sql`(
    SELECT day, sum(n) AS n, bool_or("hasHidden") AS "hasHidden" FROM (
      ${counts}
      UNION ALL
      SELECT l.day, -count(*) AS n, true AS "hasHidden" FROM (${sql.join(marked, sql` UNION `)}) AS marked
      JOIN listing AS l USING (interview_id) WHERE ${inside} GROUP BY l.day
    ) AS parts GROUP BY day
  )`;
}

const utcDay = (moment: Date | null): string | null => moment?.toISOString().slice(0, 10) ?? null;

interface PageIdsInput {
  filter: ListingFilter;
  names: FilterNames;
  position: PagePosition;
}

interface ReadOptions {
  texts: boolean;
  /** The account whose watched and reviewed interviews are marked. */
  accountId: number | null;
  /** The funnels whose failures are counted. Null: all. */
  visibleFunnelIds: readonly number[] | null;
  /** The failures of an earlier answer. They are counted again when the version has changed. */
  knownFailures: KnownFailures | undefined;
}

export interface KnownFailures {
  version: number;
  failures: Failures;
}

/** The ids of all matching interviews in list order, `limit` at most. */
export async function listMatchingIds(
  db: Executor,
  { filter, names, limit }: { filter: ListingFilter; names: FilterNames; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT l.interview_id AS id FROM ${allMatches(filter, names)} AS l ORDER BY ${NEWEST_FIRST} LIMIT ${limit}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Rows of `listing`. */
export const allMatches = (filter: ListingFilter, names: FilterNames): RawBuilder<unknown> =>
  searchByIndex(names.words, allConditions(filter, names));

/** Reads the page from the end that it is nearer to, and only its days when they are known. */
export const findPage = (db: Database, input: PageIdsInput & ReadOptions): Promise<ListingRows> =>
  readRows(db, { ...input, ...idsOfPage(input), condition: sql`true`, isByDuration: input.position.days === null });

/** The total duration of a page's interviews, in seconds. */
export async function sumDurations(db: Database, input: PageIdsInput): Promise<number> {
  const { ids, isPrepared } = idsOfPage(input);
  const { rows } = await sql<{ seconds: number }>`${isPrepared ? PREPARED : sql``}
    SELECT coalesce(sum(i.duration_seconds), 0)::int AS seconds
    FROM ${ids} AS chosen (id) JOIN interview AS i ON i.id = chosen.id
  `.execute(db);
  return rows[0]?.seconds ?? 0;
}

function idsOfPage(input: PageIdsInput) {
  const { filter, names, position } = input;
  const { days, hasHidden, before, after, size } = position;
  if (days === null) return idsByDuration(input);
  const where = allOf([
    sql`l.day = ANY(${days}::date[])`,
    ...columnConditions(filter, names),
    ...dateConditions(filter),
    ...(hasHidden ? markConditions(filter) : []),
  ]);
  const isScan = isScanCheaper(filter, days, position.total);
  const found = isScan ? searchByScan(names.words, where) : searchByIndex(names.words, where);
  const [order, skip] = before <= after ? [NEWEST_FIRST, before] : [OLDEST_FIRST, after];
  return {
    ids: sql`(SELECT l.interview_id FROM ${found} AS l ORDER BY ${order} OFFSET ${skip} LIMIT ${size})`,
    // A scan has one possible plan. A search by index is planned each time: the best plan depends
    // on its words.
    isPrepared: filter.words.length === 0 || (isScan && filter.words.length === 1),
  };
}

/** Reads an index of lengths up to the page. A search sorts all that it finds. */
function idsByDuration({ filter, names, position }: PageIdsInput) {
  const { before, after, size } = position;
  const where = allConditions(filter, names);
  const rows =
    names.words.length === 0
      ? sql`(SELECT l.* FROM ${WITH_DURATIONS} AS l WHERE ${where})`
      : sql`(
          SELECT d.* FROM ${searchByIndex(names.words, where)} AS found JOIN ${WITH_DURATIONS} AS d USING (interview_id)
          WHERE ${filter.archived ? sql`d.archived` : sql`NOT d.archived`}
        )`;
  const [order, skip] = before <= after ? [LONGEST_FIRST, before] : [SHORTEST_FIRST, after];
  return {
    ids: sql`(SELECT l.interview_id FROM ${rows} AS l ORDER BY ${order} OFFSET ${skip} LIMIT ${size})`,
    isPrepared: false,
  };
}

/** Reads a page by its ids. Finds no rows once the listing is no longer of this version. */
export const listKnownPage = (
  db: Database,
  { version, ids, ...options }: { version: number; ids: readonly string[] } & ReadOptions,
): Promise<ListingRows> =>
  readRows(db, {
    ...options,
    ids: sql`unnest(${ids}::text[])`,
    condition: sql`state.version = ${version}`,
    isPrepared: true,
    isByDuration: false,
  });

interface ReadRowsInput extends ReadOptions {
  /** A table of ids. */
  ids: RawBuilder<unknown>;
  condition: RawBuilder<SqlBool>;
  isPrepared: boolean;
  isByDuration: boolean;
}

type PageRow = InterviewRow & { version: number; found: boolean | null; failures: Failures | null };

const NO_FAILURES: Failures = { interviews: 0, permanent: 0 };

/**
 * Migration 0002 defines the bits of `facts`. The index `listing_count_failed` has only these
 * rows.
 */
const failuresOf = (funnelIds: readonly number[] | null) => sql`(
  SELECT json_build_object('interviews', greatest(all_failed.n - permanent.n, 0), 'permanent', permanent.n)
  FROM (
    SELECT coalesce(sum(n), 0)::int AS n FROM listing_count
    WHERE NOT archived AND ((facts & 12) = 12 OR (facts & 48) = 48 OR (facts & 192) = 192) ${ofFunnels(funnelIds)}
  ) AS all_failed, (
    SELECT count(*)::int AS n FROM interview
    WHERE archived_at IS NULL AND ${ALL_FAILURES_PERMANENT} ${ofFunnels(funnelIds)}
  ) AS permanent
)`;

const ofFunnels = (ids: readonly number[] | null) => (ids ? sql`AND funnel_id = ANY(${ids}::int[])` : sql``);

/** One statement, so that the version and the rows are of the same moment. */
async function readRows(
  db: Database,
  { ids, texts, accountId, visibleFunnelIds, knownFailures, condition, isPrepared, isByDuration }: ReadRowsInput,
): Promise<ListingRows> {
  const failuresNow = failuresOf(visibleFunnelIds);
  const textColumns = texts
    ? sql`t.transcription_text, t.summary_text`
    : sql`NULL AS transcription_text, NULL AS summary_text`;
  const joinTexts = texts ? sql`LEFT JOIN interview_text AS t ON t.interview_id = i.id` : sql``;
  const { rows } = await sql<PageRow>`${isPrepared ? PREPARED : sql``}
    SELECT state.version,
      CASE WHEN state.version IS DISTINCT FROM ${knownFailures?.version ?? null}::bigint THEN ${failuresNow} END AS failures, page.*
    FROM listing_state AS state LEFT JOIN (
      SELECT true AS found, i.*, f.client_name, f.external_id, ${textColumns},
        ${isWatchedBy(accountId, 'i.id')} AS watched, ${recommendationOf(accountId, 'i.id')} AS my_recommendation,
        ${separateAnswers('i')} AS separate_answers, ${pushOf('i')} AS push
      FROM ${ids} AS chosen (id)
      JOIN interview AS i ON i.id = chosen.id
      JOIN funnel AS f ON f.id = i.funnel_id
      ${joinTexts}
    ) AS page ON ${condition}
    ORDER BY ${isByDuration ? sql`page.duration_seconds DESC,` : sql``} page.recorded_at DESC, page.id DESC
  `.execute(db);
  const { version = 0, failures } = rows[0] ?? {};
  return {
    version,
    failures: failures ?? knownFailures?.failures ?? NO_FAILURES,
    rows: rows.filter((row) => row.found),
  };
}

/**
 * True when reading the page's days row by row costs less than looking up everything the first word
 * finds.
 */
function isScanCheaper({ words, ...rest }: ListingFilter, days: readonly string[], total: number): boolean {
  if (words.length === 0 || days.length > MAX_SCANNED_DAYS) return false;
  // With other filters, the total does not show how much the word alone finds.
  const { funnelIds, clientNames, facts, from, to, unwatchedBy, unreviewedBy, decidedBy } = rest;
  const others = [funnelIds, clientNames, facts, from, to, unwatchedBy, unreviewedBy, decidedBy];
  const isOneWord = words.length === 1 && others.every((part) => part === null);
  return !(isOneWord && total <= MAX_INDEXED_MATCHES);
}

/** Filters on columns that both `listing` and `listing_count` (alias `l`) have. */
function columnConditions({ funnelIds, facts, archived }: ListingFilter, names: FilterNames): RawBuilder<SqlBool>[] {
  const { clientFunnelIds } = names;
  return [
    // Not a parameter: each of the two lists has its own indexes.
    archived ? sql<SqlBool>`l.archived` : sql<SqlBool>`NOT l.archived`,
    ...(funnelIds ? [sql<SqlBool>`l.funnel_id = ANY(${funnelIds}::int[])`] : []),
    ...(clientFunnelIds ? [sql<SqlBool>`l.funnel_id = ANY(${clientFunnelIds}::int[])`] : []),
    ...(facts ? [sql<SqlBool>`get_bit(${facts}::bit(256), l.facts::int) = 1`] : []),
  ];
}

/** Both ends are included. */
function dateConditions({ from, to }: ListingFilter): RawBuilder<SqlBool>[] {
  return [
    ...(from ? [sql<SqlBool>`l.recorded_at >= ${from}`] : []),
    ...(to ? [sql<SqlBool>`l.recorded_at <= ${to}`] : []),
  ];
}

const allConditions = (filter: ListingFilter, names: FilterNames) =>
  allOf([...columnConditions(filter, names), ...dateConditions(filter), ...markConditions(filter)]);

const allOf = (conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql.join(conditions, sql` AND `);
