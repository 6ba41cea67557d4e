import type pg from 'pg';
import { type KeepAliveClient, timed } from '../keep-alive-client.ts';
import { type BenchRow, benchRow, limitRow, median } from '../row.ts';
import { sized } from '../scale.ts';

const ROUNDS = sized(60, 2);
const LOG_ENTRIES = sized(1_000_000, 1_000);
const PAGE_SIZE = 10;
const FIRST_SEARCH_LIMIT_MS = 500;

/** Entries over a year, half of them about what users view, which lists leave out. */
const SEED_LOG = `
  INSERT INTO log_entry (type, action, status, summary, details, created_at)
  SELECT (ARRAY['refresh', 'auth', 'system', 'error'])[1 + n % 4],
    (ARRAY['play-recording', 'sync-interviews', 'sign-in', 'read-transcript', 'set-destination', 'load-recording'])[1 + n % 6],
    'info', 'Entry ' || n, jsonb_build_object('n', n), timestamptz '2026-11-20' - (n % 31536000) * interval '31 seconds'
  FROM generate_series(1, $1::int) AS n`;
const VIEWS = `('load-recording', 'play-recording', 'read-transcript')`;

/** The condition is that of the query, for the plain count. */
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

interface TotalsDeps {
  http: KeepAliveClient;
  database: pg.Client;
}

/** Totals that would have to count up to a million rows. Checks that those of the log are exact. */
export async function measureTotals(deps: TotalsDeps): Promise<BenchRow[]> {
  return [...(await measureFunnels(deps)), ...(await measureLog(deps)), ...(await measureFirstSearches(deps))];
}

/** The list of funnels with their interviews, next to the read of one interview. */
async function measureFunnels({ http, database }: TotalsDeps): Promise<BenchRow[]> {
  const { rows } = await database.query<{ id: string }>('SELECT min(id) AS id FROM interview');
  const [ours, single]: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours?.push(await timed(() => http.get('/api/funnels')));
    single?.push(await timed(() => http.get(`/api/interviews/${rows[0]?.id}`)));
  }
  const name = 'funnels with their counts, to one interview through the API, median';
  return [
    benchRow({ name, ours: median(ours ?? []), baseline: median(single ?? []), unit: 'ms', aim: { atMost: 3 } }),
  ];
}

async function measureLog({ http, database }: TotalsDeps): Promise<BenchRow[]> {
  const { rows: present } = await database.query<{ n: number }>('SELECT count(*)::int AS n FROM log_entry');
  if ((present[0]?.n ?? 0) < LOG_ENTRIES) {
    await database.query(SEED_LOG, [LOG_ENTRIES]);
    await database.query('VACUUM ANALYZE log_entry');
  }
  const measured: BenchRow[] = [];
  for (const { name, query, condition, depth } of LOG_PAGES) {
    const where = `action NOT IN ${VIEWS} AND ${condition}`;
    const { rows } = await database.query<{ n: number }>(`SELECT count(*)::int AS n FROM log_entry WHERE ${where}`);
    const total = rows[0]?.n ?? 0;
    const page = Math.max(1, Math.round((total / PAGE_SIZE) * depth));
    const path = `/api/logs?${new URLSearchParams({ ...query, page: String(page), limit: String(PAGE_SIZE) })}`;
    const answer = JSON.parse(await http.get(path)) as { total: number };
    if (answer.total !== total) throw new Error(`Log, ${name}: total ${answer.total}, a plain count ${total}.`);
    const bare = `SELECT * FROM log_entry WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ${PAGE_SIZE}`;
    const [ours, baseline]: number[][] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours?.push(await timed(() => http.get(path)));
      baseline?.push(await timed(() => database.query(bare)));
    }
    const title = `System Logs, ${name} (${total.toLocaleString('en-US')}), median`;
    const [one, other] = [median(ours ?? []), median(baseline ?? [])];
    measured.push(benchRow({ name: title, ours: one, baseline: other, unit: 'ms', aim: { atMost: 3 } }));
  }
  return measured;
}

/** A search in another case is the same search, but its counts are not remembered yet. */
async function measureFirstSearches({ http }: TotalsDeps): Promise<BenchRow[]> {
  const measured: BenchRow[] = [];
  for (const search of SEARCHES) {
    const times: number[] = [];
    let total = 0;
    const isUpper = new Set<string>();
    for (const letter of ['', ...new Set(search.replaceAll(' ', ''))].slice(0, sized(5, 2))) {
      isUpper.add(letter);
      const text = [...search].map((one) => (isUpper.has(one) ? one.toUpperCase() : one)).join('');
      const query = new URLSearchParams({ search: text, page: '1', limit: String(PAGE_SIZE), texts: 'false' });
      times.push(
        await timed(async () => {
          ({ total } = JSON.parse(await http.get(`/api/interviews?${query}`)) as { total: number });
        }),
      );
    }
    const name = `first search for "${search}" (${total.toLocaleString('en-US')}), median`;
    measured.push(limitRow({ name, ours: median(times), limit: FIRST_SEARCH_LIMIT_MS, unit: 'ms' }));
  }
  return measured;
}
