import pg from 'pg';
import { type KeepAliveClient, keepAliveClient, timed } from './keep-alive-client.ts';
import { LIST_CASES, type ListCase } from './list/cases.ts';
import { removeSeededData, seededDataDir } from './list/seeded-data.ts';
import { startProduct } from './product.ts';
import { type BenchRow, benchRow, median, percentile, printRows } from './row.ts';

const PAGE_SIZE = 10;
const ROUNDS = 60;
const P95_LIMIT_MS = 50;

/** One page, by what a program that needs no filter, no total and no other page would ask: the baseline of all cases. */
const BARE_PAGE = `
  SELECT i.*, f.client_name, f.external_id
  FROM (SELECT interview_id FROM listing ORDER BY day DESC, recorded_at DESC, interview_id DESC LIMIT ${PAGE_SIZE}) AS chosen
  JOIN interview AS i ON i.id = chosen.interview_id JOIN funnel AS f ON f.id = i.funnel_id
  ORDER BY i.recorded_at DESC, i.id DESC`;
/** As while interviews arrive: something of the newest day, and with it what was remembered of the list is out of date. */
const CHANGE =
  'UPDATE interview SET title = $1 WHERE id = (SELECT interview_id FROM listing ORDER BY day DESC, recorded_at DESC LIMIT 1)';
const COUNT = `
  SELECT count(*)::int AS n FROM interview AS i JOIN funnel AS f ON f.id = i.funnel_id LEFT JOIN interview_text AS t ON t.interview_id = i.id
  WHERE i.archived_at IS NULL AND `;

interface Measured extends ListCase {
  total: number;
  coldMs: number;
  ours: number[];
  bare: number[];
  /** Asked again when the list has changed since. */
  changed: number[];
}

/** The list of a million interviews, as the dashboard asks for it, against the bare SQL of one page. */
export async function run(): Promise<BenchRow[]> {
  const product = await startProduct({ dataDir: await seededDataDir() });
  const http = keepAliveClient(product);
  const database = new pg.Client({ connectionString: product.databaseUrl });
  try {
    await database.connect();
    const cases = [];
    for (const listCase of LIST_CASES) cases.push(await open(listCase, http, database));
    for (let round = 0; round < ROUNDS; round += 1) await measure(cases, round, { http, database });
    return cases.flatMap(rowsOf);
  } finally {
    await http.close();
    await database.end();
    await product.stop();
    await removeSeededData();
  }
}

/** The first time that anybody asks, and the proof that its total is exact. */
async function open(listCase: ListCase, http: KeepAliveClient, database: pg.Client): Promise<Measured> {
  let text = '';
  const coldMs = await timed(async () => {
    text = await http.get(pathOf(listCase, 1));
  });
  const { total } = JSON.parse(text) as { total: number };
  const { rows } = await database.query<{ n: number }>(COUNT + listCase.condition);
  if (total !== rows[0]?.n) throw new Error(`${listCase.name}: the list says ${total}, a plain count ${rows[0]?.n}.`);
  return { ...listCase, total, coldMs, ours: [], bare: [], changed: [] };
}

/** Each request of ours has a bare read beside it, so that what else the machine does falls on both alike. */
async function measure(
  cases: Measured[],
  round: number,
  { http, database }: { http: KeepAliveClient; database: pg.Client },
): Promise<void> {
  for (const one of cases) {
    const last = Math.max(1, Math.ceil(one.total / PAGE_SIZE));
    // Every deep page is another one, so that none is read twice.
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

function rowsOf({ name, total, coldMs, ours, bare, changed }: Measured): BenchRow[] {
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
