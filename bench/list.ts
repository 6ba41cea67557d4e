import { openDatabase } from './database.ts';
import { keepAliveClient } from './keep-alive-client.ts';
import { measureBulkRuns } from './list/bulk-runs.ts';
import { LIST_CASES, type ListCase } from './list/cases.ts';
import {
  barePage,
  changeNewest,
  type ListDeps,
  PAGE_SIZE,
  type PageTimes,
  pathOf,
  requestTotal,
  rowsOfPage,
} from './list/pages.ts';
import { measureRecruiters } from './list/recruiters.ts';
import { measureReviews } from './list/reviews.ts';
import { seededData } from './list/seeded-data.ts';
import { measureTotals } from './list/totals.ts';
import { sized, timed } from './measure.ts';
import { startProduct } from './product.ts';
import type { BenchRow } from './row.ts';

const ROUNDS = sized(60, 2);
const WATCHED = sized(20_000, 100);
/** Marks the newest interviews as watched by the only account. */
const WATCH = `
  INSERT INTO watched (account_id, interview_id)
  SELECT account.id, chosen.interview_id FROM account,
    (SELECT interview_id FROM listing ORDER BY day DESC, recorded_at DESC LIMIT $1::int) AS chosen
  ON CONFLICT DO NOTHING`;

interface MeasuredCase extends ListCase, PageTimes {
  total: number;
}

/**
 * The list of a million interviews, as the dashboard requests it, compared with the bare SQL of one
 * page.
 */
export async function run(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await seededData());
  const product = stack.use(await startProduct({ dataDir: path }));
  const database = stack.use(await openDatabase(product.databaseUrl));
  const http = stack.use(keepAliveClient(product));
  const deps = { product, http, database };
  await database.query(WATCH, [WATCHED]);
  const cases = await Array.fromAsync(LIST_CASES, async (one): Promise<MeasuredCase> => {
    const { ms, total } = await requestTotal(one, deps);
    return { ...one, total, first: [ms], known: [], changed: [], bare: [] };
  });
  for (let round = 0; round < ROUNDS; round += 1) await measure(cases, round, deps);
  return [
    ...cases.flatMap((one) => rowsOfPage(`${one.name} (${one.total.toLocaleString('en-US')})`, one)),
    ...(await measureTotals(deps)),
    ...(await measureRecruiters(deps)),
    ...(await measureReviews(deps)),
    ...(await measureBulkRuns(deps)),
  ];
}

/** Alternates requests with bare reads, so that other load on the machine affects both alike. */
async function measure(cases: readonly MeasuredCase[], round: number, { http, database }: ListDeps): Promise<void> {
  for (const one of cases) {
    const last = Math.max(1, Math.ceil(one.total / PAGE_SIZE));
    // Each round reads a different deep page, so no page is cached.
    const depth = one.depths?.[round % one.depths.length] ?? 0;
    const page = depth === 0 ? 1 : Math.max(2, Math.round(last * depth) - 2 * round);
    await database.query(changeNewest(), [`Data Engineer - Amara Okafor ${round} ${one.name}`]);
    one.changed.push(await timed(() => http.get(pathOf(one.query, page))));
    one.bare.push(await timed(() => database.query(barePage())));
    one.known.push(await timed(() => http.get(pathOf(one.query, depth === 0 ? page : Math.max(1, page - 1)))));
  }
}
