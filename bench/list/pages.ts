import type pg from 'pg';
import type { KeepAliveClient } from '../keep-alive-client.ts';
import { timed } from '../measure.ts';
import type { BenchProduct } from '../product.ts';
import { type BenchRow, benchRow, limitRow, percentile } from '../row.ts';
import type { ListCase } from './cases.ts';

export interface ListDeps {
  product: BenchProduct;
  http: KeepAliveClient;
  database: pg.Client;
}

export const PAGE_SIZE = 10;
export const P95_LIMIT_MS = 50;

/** The newest interviews of the list, with a further condition such as `AND funnel_id = $1`. */
export const newest = (condition: string, limit: number) => `
  SELECT interview_id FROM listing WHERE NOT archived ${condition}
  ORDER BY day DESC, recorded_at DESC, interview_id DESC LIMIT ${limit}`;

/** The baseline of all cases: one page without filter, total or other pages. */
export const barePage = (condition = '') => `
  SELECT i.*, f.client_name, f.external_id FROM (${newest(condition, PAGE_SIZE)}) AS chosen
  JOIN interview AS i ON i.id = chosen.interview_id JOIN funnel AS f ON f.id = i.funnel_id
  ORDER BY i.recorded_at DESC, i.id DESC`;

/**
 * Changes the title of the newest interview to $1 and thereby invalidates the caches of the list,
 * as arriving interviews do.
 */
export const changeNewest = (condition = '') => `UPDATE interview SET title = $1 WHERE id = (${newest(condition, 1)})`;

export function pathOf(query: ListCase['query'], page: number): string {
  return `/api/interviews?${new URLSearchParams({ ...query, page: String(page), limit: String(PAGE_SIZE), texts: 'false' })}`;
}

/**
 * Requests the first page. Returns the milliseconds and the total.
 * @throws Error if a plain count, within the condition `scope`, returns another total
 */
export async function requestTotal(
  one: ListCase,
  { http, database }: Pick<ListDeps, 'http' | 'database'>,
  scope = 'true',
): Promise<{ ms: number; total: number }> {
  let text = '';
  const ms = await timed(async () => {
    text = await http.get(pathOf(one.query, 1));
  });
  const { total } = JSON.parse(text) as { total: number };
  const { rows } = await database.query<{ n: number }>(`
    SELECT count(*)::int AS n FROM interview AS i JOIN funnel AS f ON f.id = i.funnel_id
    LEFT JOIN interview_text AS t ON t.interview_id = i.id
    WHERE i.archived_at IS ${one.query.archived ? 'NOT NULL' : 'NULL'} AND ${scope} AND ${one.condition}`);
  if (total !== rows[0]?.n) throw new Error(`${one.name}: the list reports ${total}, a plain count ${rows[0]?.n}.`);
  return { ms, total };
}

/** In milliseconds: with known counts, after a change, for the first time, and the bare SQL. */
export type PageTimes = Record<'known' | 'changed' | 'first' | 'bare', number[]>;

export function rowsOfPage(name: string, { known, changed, first, bare }: PageTimes): BenchRow[] {
  const row = (what: string, ours: number[]) => ({ name: `${name}, ${what}`, ours, baseline: bare });
  return [
    benchRow({ ...row('median', known), aim: { atMost: 3 } }),
    limitRow({
      name: `${name}, 95th percentile`,
      ours: percentile([...known, ...changed], 0.95),
      limit: P95_LIMIT_MS,
    }),
    benchRow(row('when the list has changed, median', changed)),
    benchRow(row('first time, median', first)),
  ];
}
