import type pg from 'pg';
import { Recruiter } from '#support/recruiter.ts';
import { type KeepAliveClient, keepAliveClient } from '../keep-alive-client.ts';
import { sized, timed } from '../measure.ts';
import { PASSWORD } from '../product.ts';
import { type BenchRow, rowOfRounds } from '../row.ts';
import { LIST_CASES, type ListCase } from './cases.ts';
import { measureDelivery, type Pair } from './live-delivery.ts';
import { barePage, changeNewest, type ListDeps, type PageTimes, pathOf, requestTotal, rowsOfPage } from './pages.ts';

/** Each recruiter sees one of the 40 funnels, and has a colleague who sees all of them. */
const RECRUITERS = sized(50, 3);
const FUNNELS = 40;
/** How often each recruiter requests each page. */
const VISITS = sized(5, 2);
/** The highest allowed ratio to the same page of a colleague who sees all funnels. */
const MAX_RATIO = 1.1;

const MEASURED = [
  'default page',
  'deep page',
  'status pending',
  'date range',
  'rare search term',
  'common search term',
  'common search term, deep page',
  'two words',
];
const CASES = LIST_CASES.filter(({ name }) => MEASURED.includes(name));

const ADD = `
  INSERT INTO account (username, password_hash, role, all_funnels)
  SELECT name || ' ' || n, (SELECT password_hash FROM account ORDER BY id LIMIT 1), 'recruiter', name = 'colleague'
  FROM generate_series(1, $1::int) AS n, (VALUES ('recruiter'), ('colleague')) AS names (name) ON CONFLICT DO NOTHING`;
const SHOW = `
  INSERT INTO account_funnel (account_id, funnel_id)
  SELECT id, 1 + split_part(username, ' ', 2)::int % $1::int FROM account WHERE NOT all_funnels ON CONFLICT DO NOTHING`;
/** One page of the funnel, and a change of its newest interview, which both accounts see. */
const BARE_PAGE = barePage('AND funnel_id = $1');
const CHANGE = changeNewest('AND funnel_id = $2');

/** Milliseconds for recruiters and bare SQL, and for their colleagues in the same round. */
type Measured = PageTimes & Record<'knownToAll' | 'changedToAll', number[]>;

/**
 * Measures the list, searches and totals for recruiters who each see one of 40 funnels. The
 * baselines are one page in bare SQL, and the same requests by colleagues who see all funnels.
 */
export async function measureRecruiters(deps: ListDeps): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const pairs = await addRecruiters(deps, opened);
  const measured = new Map(CASES.map((one) => [one, emptyTimes()]));
  for (const one of CASES)
    for (const { recruiter, funnelId } of pairs.slice(0, 1))
      await requestTotal(one, { ...deps, http: recruiter }, `i.funnel_id = ${funnelId}`);
  for (let visit = 0; visit < VISITS; visit += 1)
    for (const pair of pairs)
      for (const [listCase, times] of measured) await measurePage({ ...pair, listCase, visit }, times, deps.database);
  return [
    ...[...measured].flatMap(([{ name }, times]) => rowsOfPage(title(name), times)),
    ...comparisons([...measured.values()]),
    ...(await measureDelivery(pairs, deps)),
  ];
}

const emptyTimes = (): Measured => ({ first: [], known: [], changed: [], knownToAll: [], changedToAll: [], bare: [] });

async function addRecruiters({ product, database }: ListDeps, opened: AsyncDisposableStack): Promise<Pair[]> {
  await database.query(ADD, [RECRUITERS]);
  await database.query(SHOW, [FUNNELS]);
  const signIn = async (username: string) => {
    const { cookie } = await Recruiter.signIn(product.url, { username, password: PASSWORD });
    return opened.use(keepAliveClient({ ...product, cookie }));
  };
  return Array.fromAsync({ length: RECRUITERS }, async (_, at) => ({
    recruiter: await signIn(`recruiter ${at + 1}`),
    colleague: await signIn(`colleague ${at + 1}`),
    funnelId: 1 + ((at + 1) % FUNNELS),
  }));
}

interface Visit extends Pair {
  listCase: ListCase;
  visit: number;
}

/** Alternates both accounts and bare reads, so that other load affects all of them equally. */
async function measurePage(
  { recruiter, colleague, funnelId, listCase, visit }: Visit,
  times: Measured,
  database: pg.Client,
): Promise<void> {
  const isDeep = listCase.depths !== undefined;
  // Two colleagues read different deep pages, as recruiters do.
  const pageOf = (client: KeepAliveClient) => (isDeep ? 20 + 2 * visit + (client === colleague ? 9 * funnelId : 0) : 1);
  const get = (client: KeepAliveClient, pages: 0 | 1) =>
    timed(() => client.get(pathOf(listCase.query, pageOf(client) + (isDeep ? pages : 0))));
  await database.query(CHANGE, [`Data Engineer - Amara Okafor ${visit} ${listCase.name}`, funnelId]);
  const inTurns = async (own: () => Promise<unknown>, other: () => Promise<unknown>) => {
    for (const request of visit % 2 === 0 ? [own, other] : [other, own]) await request();
  };
  await inTurns(
    async () => (visit === 0 ? times.first : times.changed).push(await get(recruiter, 0)),
    async () => visit > 0 && times.changedToAll.push(await get(colleague, 0)),
  );
  times.bare.push(await timed(() => database.query(BARE_PAGE, [funnelId])));
  await inTurns(
    async () => times.known.push(await get(recruiter, 1)),
    async () => times.knownToAll.push(await get(colleague, 1)),
  );
}

/** Compares with the same requests by colleagues, over all cases. */
function comparisons(measured: readonly Measured[]): BenchRow[] {
  const row = (what: string, part: 'known' | 'changed') =>
    rowOfRounds({
      name: title(`all cases, ${what}, to colleagues with all funnels`),
      aim: { atMost: MAX_RATIO },
      ours: measured.flatMap((times) => times[part]),
      baseline: measured.flatMap((times) => times[`${part}ToAll`]),
    });
  return [row('known pages', 'known'), row('when the list has changed', 'changed')];
}

const title = (name: string) => `${RECRUITERS} recruiters of one funnel, ${name}`;
