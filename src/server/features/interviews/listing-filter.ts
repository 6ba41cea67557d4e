import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ListQuery } from '#contracts/interviews.ts';
import { factsMask } from './listing-facts.ts';
import type { Names } from './listing-names.ts';

/** What of a list query decides which interviews it finds; the page is not part of it. */
export interface ListingFilter {
  /** Equal for equal filters. */
  key: string;
  /** Lower case or not: the database lowers them the way it lowered what it searches. Longest first, as that finds least. */
  words: string[];
  funnelIds: number[] | null;
  clientNames: string[] | null;
  /** A bit for each value of `facts`: 1 where the filter lets it through. */
  facts: string | null;
  from: Date | null;
  to: Date | null;
}

export function listingFilter(query: ListQuery): ListingFilter {
  const filter = {
    words: searchWords(query.search ?? ''),
    funnelIds: query.funnelId?.length ? [...new Set(query.funnelId)].sort((a, b) => a - b) : null,
    clientNames: query.clientName?.length ? [...new Set(query.clientName)].sort() : null,
    from: query.startDate ? new Date(query.startDate) : null,
    to: query.endDate ? new Date(query.endDate) : null,
  };
  const facts = query.status === 'all' ? null : factsMask(query.status);
  return { key: JSON.stringify([filter, query.status]), facts, ...filter };
}

const searchWords = (search: string): string[] =>
  [...new Set(search.split(/\s+/u).filter(Boolean))].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));

/** The filters that the columns of `listing` (alias `l`) answer by themselves; all but search and dates also those of `listing_count`. */
export function columnConditions({ funnelIds, facts }: ListingFilter, names: Names): RawBuilder<SqlBool>[] {
  const ofClients = names.clientFunnelIds;
  return [
    ...(funnelIds ? [sql<SqlBool>`l.funnel_id = ANY(${funnelIds}::int[])`] : []),
    ...(ofClients ? [sql<SqlBool>`l.funnel_id = ANY(${ofClients}::int[])`] : []),
    ...(facts ? [sql<SqlBool>`get_bit(${facts}::bit(256), l.facts::int) = 1`] : []),
  ];
}

/** `recordedDate` within the range, both ends included. */
export function dateConditions({ from, to }: ListingFilter): RawBuilder<SqlBool>[] {
  return [
    ...(from ? [sql<SqlBool>`l.recorded_at >= ${from}`] : []),
    ...(to ? [sql<SqlBool>`l.recorded_at <= ${to}`] : []),
  ];
}

/** Conditions joined by AND; true when there are none. */
export const allOf = (conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql.join(conditions, sql` AND `);
