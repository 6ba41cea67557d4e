import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { PREPARED } from '../../db/prepared.ts';
import type { DayCounts } from './day-counts.ts';
import type { InterviewRow } from './interviews.view.ts';
import { allOf, columnConditions, dateConditions, type ListingFilter } from './listing-filter.ts';
import type { Place } from './listing-place.ts';
import { FEW_DAYS, searchedDays, searchedListing } from './listing-search.ts';

/** The rows of a page and the version of the listing that they are of. */
export interface PageRows {
  version: number;
  rows: InterviewRow[];
}

interface Finding {
  filter: ListingFilter;
  counts: DayCounts;
  place: Place;
  texts: boolean;
}

/** A word that finds so few is looked up in its index, which then reads little more than them. */
const FEW_FOUND = 2_000;

const NEWEST_FIRST = sql`l.day DESC, l.recorded_at DESC, l.interview_id DESC`;
const OLDEST_FIRST = sql`l.day, l.recorded_at, l.interview_id`;

/** Finds a page by the days it is on, and reads those from the end that the page is nearer to. */
export function findPage(db: Database, { filter, counts, place, texts }: Finding): Promise<PageRows> {
  const { days, before, after, size } = place;
  const where = allOf([
    sql`l.day = ANY(${days}::date[])`,
    ...columnConditions(filter, counts.names),
    ...dateConditions(filter),
  ]);
  const [order, skip] = before <= after ? [NEWEST_FIRST, before] : [OLDEST_FIRST, after];
  const chosen = sql`(
    SELECT l.interview_id FROM ${sourceOf({ filter, counts, place }, where)} AS l ORDER BY ${order} OFFSET ${skip} LIMIT ${size}
  )`;
  // How much a word finds decides which plan is good, so a search is planned each time.
  return readRows(db, { chosen, texts, condition: sql`true`, prepared: filter.words.length === 0 });
}

/** Reads a page whose interviews are known; without rows when the listing is no longer of that version. */
export function readKnownPage(
  db: Database,
  { version, ids, texts }: { version: number; ids: readonly string[]; texts: boolean },
): Promise<PageRows> {
  return readRows(db, {
    chosen: sql`unnest(${ids}::text[])`,
    texts,
    condition: sql`state.version = ${version}`,
    prepared: true,
  });
}

/** One statement, so that the version says of which moment the rows are. `chosen` is a table of ids. */
async function readRows(
  db: Database,
  {
    chosen,
    texts,
    condition,
    prepared,
  }: { chosen: RawBuilder<unknown>; texts: boolean; condition: RawBuilder<SqlBool>; prepared: boolean },
): Promise<PageRows> {
  const written = texts
    ? sql`t.transcription_text, t.summary_text`
    : sql`NULL AS transcription_text, NULL AS summary_text`;
  const withTexts = texts ? sql`LEFT JOIN interview_text AS t ON t.interview_id = i.id` : sql``;
  const { rows } = await sql<InterviewRow & { version: number; found: boolean | null }>`${prepared ? PREPARED : sql``}
    SELECT state.version, page.*
    FROM listing_state AS state LEFT JOIN (
      SELECT true AS found, i.*, f.client_name, f.external_id, ${written}
      FROM ${chosen} AS chosen (id)
      JOIN interview AS i ON i.id = chosen.id
      JOIN funnel AS f ON f.id = i.funnel_id
      ${withTexts}
    ) AS page ON ${condition}
    ORDER BY page.recorded_at DESC, page.id DESC
  `.execute(db);
  return { version: rows[0]?.version ?? 0, rows: rows.filter((row) => row.found) };
}

function sourceOf({ filter, counts, place }: Omit<Finding, 'texts'>, where: RawBuilder<SqlBool>): RawBuilder<unknown> {
  const { words } = counts.names;
  return readsThroughDays(filter, place) ? searchedDays(words, where) : searchedListing(words, where);
}

/** Whether reading the days of a page through costs less than finding everything that the first word finds. */
function readsThroughDays({ words, funnelIds, clientNames, facts, from, to }: ListingFilter, place: Place): boolean {
  if (words.length === 0 || place.days.length > FEW_DAYS) return false;
  // With anything else in the filter, the total does not tell how much the word alone would find.
  const isOneWord = words.length === 1 && [funnelIds, clientNames, facts, from, to].every((part) => part === null);
  return !(isOneWord && place.total <= FEW_FOUND);
}
