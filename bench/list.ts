import pg from 'pg';
import { type KeepAliveClient, keepAliveClient, timed } from './keep-alive-client.ts';
import { measureBulkRuns } from './list/bulk-runs.ts';
import { LIST_CASES, type ListCase } from './list/cases.ts';
import { measureRecruiters } from './list/recruiters.ts';
import { measureReviews } from './list/reviews.ts';
import { removeSeededData, seededDataDir } from './list/seeded-data.ts';
import { measureTotals } from './list/totals.ts';
import { startProduct } from './product.ts';
import { type BenchRow, benchRow, median, percentile, printRows } from './row.ts';
import { sized } from './scale.ts';

const PAGE_SIZE = 10;
const ROUNDS = sized(60, 2);
const P95_LIMIT_MS = 50;

/** The baseline of all cases: one page without filter, total or other pages. */
const BARE_PAGE = `
  SELECT i.*, f.client_name, f.external_id
  FROM (SELECT interview_id FROM listing WHERE NOT archived ORDER BY day DESC, recorded_at DESC, interview_id DESC LIMIT ${PAGE_SIZE}) AS chosen
  JOIN interview AS i ON i.id = chosen.interview_id JOIN funnel AS f ON f.id = i.funnel_id
  ORDER BY i.recorded_at DESC, i.id DESC`;
/**
 * Changes the newest day and thereby invalidates the caches of the list, as arriving interviews do.
 */
const CHANGE =
  'UPDATE interview SET title = $1 WHERE id = (SELECT interview_id FROM listing WHERE NOT archived ORDER BY day DESC, recorded_at DESC LIMIT 1)';
const WATCHED = sized(20_000, 100);
/** Marks the newest interviews as watched by the only account. */
const WATCH = `
  INSERT INTO watched (account_id, interview_id)
  SELECT account.id, chosen.interview_id FROM account,
    (SELECT interview_id FROM listing ORDER BY day DESC, recorded_at DESC LIMIT $1::int) AS chosen
  ON CONFLICT DO NOTHING`;
const COUNT = `
  SELECT count(*)::int AS n FROM interview AS i JOIN funnel AS f ON f.id = i.funnel_id LEFT JOIN interview_text AS t ON t.interview_id = i.id
  WHERE i.archived_at IS `;

interface MeasuredCase extends ListCase {
  total: number;
  coldMs: number;
  ours: number[];
  bare: number[];
  /** Milliseconds of the request right after a change of the list. */
  changed: number[];
}

/**
 * The list of a million interviews, as the dashboard requests it, compared with the bare SQL of one
 * page.
 */
export async function run(): Promise<BenchRow[]> {
  const product = await startProduct({ dataDir: await seededDataDir() });
  const http = keepAliveClient(product);
  const database = new pg.Client({ connectionString: product.databaseUrl });
  try {
    await database.connect();
    await database.query(WATCH, [WATCHED]);
    const cases = [];
    for (const listCase of LIST_CASES) cases.push(await open(listCase, http, database));
    for (let round = 0; round < ROUNDS; round += 1) await measure(cases, round, { http, database });
    return [
      ...cases.flatMap(rowsOf),
      ...(await measureTotals({ http, database })),
      ...(await measureRecruiters({ product, database })),
      ...(await measureReviews({ http, database, barePage: BARE_PAGE })),
      ...(await measureBulkRuns({ product, http, database, barePage: BARE_PAGE })),
    ];
  } finally {
    await http.close();
    await database.end();
    await product.stop();
    await removeSeededData();
  }
}

/** Measures the first request and checks that its total is exact. */
async function open(listCase: ListCase, http: KeepAliveClient, database: pg.Client): Promise<MeasuredCase> {
  let text = '';
  const coldMs = await timed(async () => {
    text = await http.get(pathOf(listCase, 1));
  });
  const { total } = JSON.parse(text) as { total: number };
  const { rows } = await database.query<{ n: number }>(
    `${COUNT} ${listCase.query.archived ? 'NOT NULL' : 'NULL'} AND ${listCase.condition}`,
  );
  if (total !== rows[0]?.n)
    throw new Error(`${listCase.name}: the list reports ${total}, a plain count ${rows[0]?.n}.`);
  return { ...listCase, total, coldMs, ours: [], bare: [], changed: [] };
}

/** Alternates requests with bare reads, so that other load on the machine affects both alike. */
async function measure(
  cases: MeasuredCase[],
  round: number,
  { http, database }: { http: KeepAliveClient; database: pg.Client },
): Promise<void> {
  for (const one of cases) {
    const last = Math.max(1, Math.ceil(one.total / PAGE_SIZE));
    // Each round reads a different deep page, so no page is cached.
    const depth = one.depths[round % one.depths.length] ?? 0;
    const page = depth === 0 ? 1 : Math.max(2, Math.round(last * depth) - 2 * round);
    await database.query(CHANGE, [`Data Engineer - Amara Okafor ${round} ${one.name}`]);
    one.changed.push(await timed(() => http.get(pathOf(one, page))));
    one.bare.push(await timed(() => database.query(BARE_PAGE)));
    one.ours.push(await timed(() => http.get(pathOf(one, depth === 0 ? page : Math.max(1, page - 1)))));
  }
}

function pathOf({ query }: ListCase, page: number): string {
  return `/api/interviews?${new URLSearchParams({ ...query, page: String(page), limit: String(PAGE_SIZE), texts: 'false' })}`;
}

function rowsOf({ name, total, coldMs, ours, bare, changed }: MeasuredCase): BenchRow[] {
  const title = `${name} (${total.toLocaleString('en-US')})`;
  return [
    benchRow({
      name: `${title}, median`,
      ours: median(ours),
      baseline: median(bare),
      unit: 'ms',
      aim: { atMost: 3 },
    }),
    benchRow({
      name: `${title}, 95th percentile against the limit`,
      ours: percentile([...ours, ...changed], 0.95),
      baseline: P95_LIMIT_MS,
      unit: 'ms',
      aim: { atMost: 1 },
    }),
    benchRow({
      name: `${title}, when the list has changed, median`,
      ours: median(changed),
      baseline: median(bare),
      unit: 'ms',
      aim: null,
    }),
    benchRow({ name: `${title}, first time`, ours: coldMs, baseline: median(bare), unit: 'ms', aim: null }),
  ];
}

if (import.meta.main) printRows(await run());
