import { to as copyTo } from 'pg-copy-streams';
import { inRounds, sized, timed } from '../measure.ts';
import { type BenchRow, benchRow, rowOfRounds } from '../row.ts';
import { barePage, type ListDeps } from './pages.ts';

/** The number of reviews per interview. */
const REVIEWERS = 3;
const ROUNDS = sized(40, 2);
const EXPORTS = sized(3, 1);
/** The highest allowed ratio of a page with reviews to one without. */
const MAX_RATIO = 1.1;
/** About 100,000 rows of a million interviews. */
const EXPORTED_FUNNELS = [1, 2, 3, 4];

const PAGES = [
  { name: 'default page', page: 1 },
  { name: 'deep page', page: sized(40_000, 40) },
];
const REMOVE = `DELETE FROM review WHERE author LIKE 'bench %'`;
const ADD = [
  `INSERT INTO account (username, password_hash, role)
   SELECT 'bench ' || n, (SELECT password_hash FROM account ORDER BY id LIMIT 1), 'reviewer'
   FROM generate_series(1, ${REVIEWERS}) AS n ON CONFLICT DO NOTHING`,
  `INSERT INTO scorecard (funnel_id, version, criteria, is_default)
   SELECT id, 1, '[{"key":"overall","label":"Overall","low":"","middle":"","high":""}]', true FROM funnel ON CONFLICT DO NOTHING`,
  `INSERT INTO review (interview_id, account_id, author, scorecard_version, ratings, first_ratings, recommendation, note,
     submitted_at, decided_at)
   SELECT i.id, a.id, a.username, 1, '{"overall": 4}', '{"overall": 4}', 3, 'Calm and precise.', now(), now()
   FROM interview AS i, account AS a WHERE a.username LIKE 'bench %'`,
  'VACUUM ANALYZE review',
];

/** Measures the export, and pages of the list with three reviews per interview and without. */
export async function measureReviews(deps: ListDeps): Promise<BenchRow[]> {
  const { database } = deps;
  await database.query(REMOVE);
  const measurePages = () => Array.fromAsync(PAGES, ({ page }) => measurePage(deps, page));
  const without = await measurePages();
  for (const statement of ADD) await database.query(statement);
  const reviewed = await measurePages();
  const rows = PAGES.map(({ name }, at) =>
    rowOfRounds({
      name: `${name} with ${REVIEWERS} reviews of each interview, in bare pages, against without`,
      ours: reviewed[at] ?? [],
      baseline: without[at] ?? [],
      unit: '×',
      aim: { atMost: MAX_RATIO },
    }),
  );
  return [...rows, await measureExport(deps)];
}

/** Relative to a bare page, because other load changes between the two runs. */
const measurePage = ({ http, database }: ListDeps, page: number): Promise<number[]> =>
  Array.fromAsync({ length: ROUNDS }, async (_, round) => {
    const ours = await timed(() => http.get(`/api/interviews?page=${page + round}&texts=false`));
    return ours / (await timed(() => database.query(barePage())));
  });

/** The list as CSV, against the same rows without the rules of badges, reviews and formulas. */
async function measureExport({ http, database }: ListDeps): Promise<BenchRow> {
  const query = new URLSearchParams(EXPORTED_FUNNELS.map((id): [string, string] => ['funnelId', String(id)]));
  const copied = `COPY (SELECT i.*, f.name FROM interview AS i JOIN funnel AS f ON f.id = i.funnel_id
    WHERE archived_at IS NULL AND funnel_id IN (${EXPORTED_FUNNELS}) ORDER BY recorded_at DESC) TO STDOUT (FORMAT csv)`;
  let lines = 0;
  const readCsv = async () => {
    lines = (await http.get(`/api/interviews.csv?${query}`)).split('\r\n').length - 2;
  };
  const copy = async () => {
    for await (const _ of database.query(copyTo(copied)));
  };
  const times = await inRounds(EXPORTS, { ours: () => timed(readCsv), baseline: () => timed(copy) });
  return benchRow({ name: `CSV of ${lines.toLocaleString('en-US')} interviews, against COPY`, ...times });
}
