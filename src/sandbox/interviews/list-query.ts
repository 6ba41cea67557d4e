import type { ListFilter } from './interview-list.ts';

const MAX_LIMIT = 1000;

export interface ListQuery extends ListFilter {
  page: number;
  limit: number;
}

/** Reads the query of a list, or returns the problem. */
export function readListQuery(query: URLSearchParams): ListQuery | { problem: string } {
  const page = wholeNumber(query.get('page') ?? '1');
  if (page === null) return { problem: 'page must be a whole number from 1' };
  const limit = wholeNumber(query.get('limit') ?? '100');
  if (limit === null || limit > MAX_LIMIT) return { problem: `limit must be a whole number from 1 to ${MAX_LIMIT}` };

  const createdAfter = instant(query.get('createdAfter'));
  const createdBefore = instant(query.get('createdBefore'));
  if (Number.isNaN(createdAfter)) return { problem: 'createdAfter must be an ISO date' };
  if (Number.isNaN(createdBefore)) return { problem: 'createdBefore must be an ISO date' };
  return { page, limit, createdAfter, createdBefore };
}

const wholeNumber = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null);
const instant = (text: string | null) => (text === null ? null : Date.parse(text));
