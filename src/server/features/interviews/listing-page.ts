import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { DayCounter, type DayCounts } from './day-counts.ts';
import type { InterviewRow } from './interviews.view.ts';
import { allOf, columnConditions, dateConditions, type ListingFilter } from './listing-filter.ts';
import { resolveSearch, searchedDays, searchedListing } from './listing-search.ts';

export interface PageRequest {
  filter: ListingFilter;
  page: number;
  limit: number;
  texts: boolean;
}

/** Where a page stands: the days it is on, and how many of their interviews come before it. */
interface Place {
  days: string[];
  skip: number;
  /** Interviews on all days. */
  total: number;
}

/** Tries while interviews change under the reader. After them the page is right and the total may be some milliseconds old. */
const TRIES = 4;
/** Up to so many days a search reads them through; for more, its index is quicker. */
const FEW_DAYS = 20;
/** A word that finds so few is looked up in its index, which then reads little more than them. */
const FEW_FOUND = 2_000;

/** The interview list: any page of any filter with its exact total, in about the time of reading ten rows. */
export class InterviewListing {
  readonly #db: Database;
  readonly #counter: DayCounter;

  constructor(db: Database) {
    this.#db = db;
    this.#counter = new DayCounter(db);
  }

  /** A page and the total of the same moment. */
  async read(request: PageRequest): Promise<{ rows: InterviewRow[]; total: number }> {
    let counts = await this.#counter.lastKnown(request.filter);
    for (let tries = 1; ; tries += 1) {
      const { version, rows } = await readPage(this.#db, request, placeOf(counts, request));
      if (version === counts.version || tries === TRIES) return { rows, total: counts.total };
      counts = await this.#counter.fresh(request.filter);
    }
  }
}

function placeOf({ days, total }: DayCounts, { page, limit }: PageRequest): Place {
  let before = 0;
  const offset = (page - 1) * limit;
  const first = days.findIndex(({ n }) => {
    if (before + n > offset) return true;
    before += n;
    return false;
  });
  if (first < 0) return { days: [], skip: 0, total };

  const skip = offset - before;
  const needed: string[] = [];
  let found = -skip;
  for (const { day, n } of days.slice(first)) {
    needed.push(day);
    found += n;
    if (found >= limit) break;
  }
  return { days: needed, skip, total };
}

/** Whether reading the days of a page through costs less than finding everything that the first word finds. */
function readsThroughDays({ words, funnelIds, clientNames, facts, from, to }: ListingFilter, place: Place): boolean {
  if (words.length === 0 || place.days.length > FEW_DAYS) return false;
  // With anything else in the filter, the total does not tell how much the word alone would find.
  const isOneWord = words.length === 1 && [funnelIds, clientNames, facts, from, to].every((part) => part === null);
  return !(isOneWord && place.total <= FEW_FOUND);
}

/** One statement, so that the version says of which moment the rows are. */
async function readPage(db: Database, { filter, limit, texts }: PageRequest, place: Place) {
  const { days, skip } = place;
  const where = allOf([sql`l.day = ANY(${days}::date[])`, ...columnConditions(filter), ...dateConditions(filter)]);
  const words = await resolveSearch(db, filter.words);
  const source = readsThroughDays(filter, place) ? searchedDays(words, where) : searchedListing(words, where);
  const written = texts
    ? sql`t.transcription_text, t.summary_text`
    : sql`NULL AS transcription_text, NULL AS summary_text`;
  const withTexts = texts ? sql`LEFT JOIN interview_text AS t ON t.interview_id = i.id` : sql``;
  const { rows } = await sql<InterviewRow & { version: number; found: boolean | null }>`
    SELECT state.version, page.*
    FROM listing_state AS state LEFT JOIN (
      SELECT true AS found, i.*, f.client_name, f.external_id, ${written}
      FROM (
        SELECT l.interview_id FROM ${source} AS l
        ORDER BY l.day DESC, l.recorded_at DESC, l.interview_id DESC OFFSET ${skip} LIMIT ${limit}
      ) AS chosen
      JOIN interview AS i ON i.id = chosen.interview_id
      JOIN funnel AS f ON f.id = i.funnel_id
      ${withTexts}
    ) AS page ON true
    ORDER BY page.recorded_at DESC, page.id DESC
  `.execute(db);
  return { version: rows[0]?.version ?? 0, rows: rows.filter((row) => row.found) };
}
