import { inRounds, sized, timed } from '../measure.ts';
import { type BenchRow, benchRow } from '../row.ts';
import { type ListDeps, PAGE_SIZE, pathOf } from './pages.ts';

const ROUNDS = sized(60, 2);
const LOG_ENTRIES = sized(1_000_000, 1_000);
/** A first search may take as long as reading the whole list twice. */
const MAX_SCANS = 2;

/**
 * Entries over a year, half of them about what users view, which lists leave out. Data that is kept
 * has them from an earlier run.
 */
const SEED_LOG = `
  INSERT INTO log_entry (type, action, status, summary, details, created_at)
  SELECT (ARRAY['refresh', 'auth', 'system', 'error'])[1 + n % 4],
    (ARRAY['play-recording', 'sync-interviews', 'sign-in', 'read-transcript', 'set-destination', 'load-recording'])[1 + n % 6],
    'info', 'Entry ' || n, jsonb_build_object('n', n), timestamptz '2026-11-20' - n * interval '365 days' / $1::int
  FROM generate_series(1, $1::int) AS n WHERE (SELECT count(*) FROM log_entry) < $1::int`;
const VIEWS = `('load-recording', 'play-recording', 'read-transcript')`;

/** The plain count has the same condition as the query. */
const LOG_PAGES = [
  { name: 'first page', query: {}, condition: 'true', depth: 0 },
  { name: 'deep page', query: {}, condition: 'true', depth: 0.9 },
  { name: 'one type', query: { type: 'error' }, condition: `type = 'error'`, depth: 0 },
  {
    name: 'date range',
    query: { startDate: '2026-03-04T22:00:00Z', endDate: '2026-09-20T21:59:59Z' },
    condition: `created_at >= '2026-03-04T22:00:00Z' AND created_at < '2026-09-20T21:59:59.001Z'`,
    depth: 0,
  },
];
const SEARCHES = [
  'zyxwvu',
  'lindqvist',
  'engineer',
  'er',
  'a',
  'client',
  'client c',
  'e a',
  'client a nurse',
  'amara nurse',
  'senior frontend engineer',
  'kubernetes',
];

type TotalsDeps = Pick<ListDeps, 'http' | 'database'>;

/** Totals that would have to count up to a million rows. Checks that the log's totals are exact. */
export async function measureTotals(deps: TotalsDeps): Promise<BenchRow[]> {
  const funnels = await measureFunnels(deps);
  await deps.database.query(SEED_LOG, [LOG_ENTRIES]);
  await deps.database.query('VACUUM ANALYZE log_entry');
  const pages = await Array.fromAsync(LOG_PAGES, (page) => measureLogPage(page, deps));
  const searches = await Array.fromAsync(SEARCHES, (search) => measureFirstSearch(search, deps));
  return [funnels, ...pages.flat(), ...searches];
}

/** The list of funnels with their interviews, next to the read of one interview. */
async function measureFunnels({ http, database }: TotalsDeps): Promise<BenchRow> {
  const { rows } = await database.query<{ id: string }>('SELECT min(id) AS id FROM interview');
  const times = await inRounds(ROUNDS, {
    ours: () => timed(() => http.get('/api/funnels')),
    baseline: () => timed(() => http.get(`/api/interviews/${rows[0]?.id}`)),
  });
  const name = 'funnels with their counts, to one interview through the API, median';
  return benchRow({ name, ...times, aim: { atMost: 3 } });
}

/** Next to one entry through the API, and to the bare SQL of the page without its total. */
async function measureLogPage(
  { name, query, condition, depth }: (typeof LOG_PAGES)[number],
  { http, database }: TotalsDeps,
): Promise<BenchRow[]> {
  const where = `action NOT IN ${VIEWS} AND ${condition}`;
  const { rows } = await database.query<{ total: number; id: number }>(
    `SELECT count(*)::int AS total, min(id)::int AS id FROM log_entry WHERE ${where}`,
  );
  const { total, id } = rows[0] ?? { total: 0, id: 0 };
  const page = Math.max(1, Math.round((total / PAGE_SIZE) * depth));
  const path = `/api/logs?${new URLSearchParams({ ...query, page: String(page), limit: String(PAGE_SIZE) })}`;
  const response = JSON.parse(await http.get(path)) as { total: number };
  if (response.total !== total) throw new Error(`Log, ${name}: total ${response.total}, a plain count ${total}.`);
  const bareSql = `SELECT * FROM log_entry WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ${PAGE_SIZE} OFFSET ${(page - 1) * PAGE_SIZE}`;
  const { ours, single, bare } = await inRounds(ROUNDS, {
    ours: () => timed(() => http.get(path)),
    single: () => timed(() => http.get(`/api/logs/${id}`)),
    bare: () => timed(() => database.query(bareSql)),
  });
  const title = `System Logs, ${name} (${total.toLocaleString('en-US')}), to`;
  return [
    benchRow({ name: `${title} one entry through the API, median`, ours, baseline: single, aim: { atMost: 3 } }),
    benchRow({ name: `${title} bare SQL, median`, ours, baseline: bare, aim: { atMost: 3 } }),
  ];
}

/**
 * A search in another case is the same search, but its counts are not remembered yet. The baseline
 * reads the list once: "er" is too short for the index.
 */
async function measureFirstSearch(search: string, { http, database }: TotalsDeps): Promise<BenchRow> {
  const scan = `SELECT day, count(*) FROM listing WHERE NOT archived AND search_text LIKE '%er%' GROUP BY day`;
  const texts = inOtherCases(search);
  let total = 0;
  const get = async (search = '') => {
    ({ total } = JSON.parse(await http.get(pathOf({ search }, 1))) as { total: number });
  };
  const times = await inRounds(texts.length, {
    ours: (round) => timed(() => get(texts[round])),
    baseline: () => timed(() => database.query(scan)),
  });
  const name = `first search for "${search}" (${total.toLocaleString('en-US')}), to one scan of the list, median`;
  return benchRow({ name, ...times, aim: { atMost: MAX_SCANS } });
}

function inOtherCases(search: string): string[] {
  const letters = [...new Set(search.replaceAll(' ', ''))].slice(0, sized(4, 1));
  return [search, ...letters.map((letter) => search.replaceAll(letter, letter.toUpperCase()))];
}
