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

interface RecruiterClients extends Pair {
  http: KeepAliveClient;
  colleague: KeepAliveClient;
}

/** Milliseconds for recruiters and bare SQL, and for their colleagues in the same round. */
type Measured = PageTimes & Record<'knownToAll' | 'changedToAll', number[]>;

/**
 * Measures the list, searches and totals for recruiters who each see one of 40 funnels. The
 * baselines are one page in bare SQL, and the same requests by colleagues who see all funnels.
 */
export async function measureRecruiters(deps: ListDeps): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const recruiters = await addRecruiters(deps, opened);
  const measured = new Map(CASES.map((one) => [one, emptyTimes()]));
  for (const one of CASES)
    for (const { http, funnelId } of recruiters.slice(0, 1))
      await requestTotal(one, { http, database: deps.database }, `i.funnel_id = ${funnelId}`);
  for (let visit = 0; visit < VISITS; visit += 1)
    for (const recruiter of recruiters)
      for (const [listCase, times] of measured) await measurePage({ listCase, recruiter, visit }, times, deps);
  return [
    ...[...measured].flatMap(([{ name }, times]) => rowsOfPage(title(name), times)),
    ...comparisons([...measured.values()]),
    ...(await measureDelivery(recruiters, deps)),
  ];
}

const emptyTimes = (): Measured => ({ first: [], known: [], changed: [], knownToAll: [], changedToAll: [], bare: [] });

async function addRecruiters(
  { product, database }: ListDeps,
  opened: AsyncDisposableStack,
): Promise<RecruiterClients[]> {
  await database.query(ADD, [RECRUITERS]);
  await database.query(SHOW, [FUNNELS]);
  const recruiters: RecruiterClients[] = [];
  for (let number = 1; number <= RECRUITERS; number += 1) {
    const cookieOf = async (name: string) =>
      (await Recruiter.signIn(product.address, { username: `${name} ${number}`, password: PASSWORD })).cookie;
    const [cookie, colleagueCookie] = [await cookieOf('recruiter'), await cookieOf('colleague')];
    recruiters.push({
      ...{ cookie, colleagueCookie, funnelId: 1 + (number % FUNNELS) },
      http: opened.use(keepAliveClient({ ...product, cookie })),
      colleague: opened.use(keepAliveClient({ ...product, cookie: colleagueCookie })),
    });
  }
  return recruiters;
}

interface Visit {
  listCase: ListCase;
  recruiter: RecruiterClients;
  visit: number;
}

/** Alternates both accounts and bare reads, so that other load affects all of them equally. */
async function measurePage(
  { listCase, recruiter, visit }: Visit,
  times: Measured,
  { database }: ListDeps,
): Promise<void> {
  const { http, colleague, funnelId } = recruiter;
  const isDeep = listCase.depths !== undefined;
  // Two colleagues read different deep pages, as recruiters do.
  const pageOf = (client: KeepAliveClient) => (isDeep ? 20 + 2 * visit + (client === colleague ? 9 * funnelId : 0) : 1);
  const get = (client: KeepAliveClient, pages: 0 | 1) =>
    timed(() => client.get(pathOf(listCase, pageOf(client) + (isDeep ? pages : 0))));
  await database.query(CHANGE, [`Data Engineer - Amara Okafor ${visit} ${listCase.name}`, funnelId]);
  const inTurns = async (own: () => Promise<unknown>, other: () => Promise<unknown>) => {
    for (const request of visit % 2 === 0 ? [own, other] : [other, own]) await request();
  };
  await inTurns(
    async () => (visit === 0 ? times.first : times.changed).push(await get(http, 0)),
    async () => visit > 0 && times.changedToAll.push(await get(colleague, 0)),
  );
  times.bare.push(await timed(() => database.query(BARE_PAGE, [funnelId])));
  await inTurns(
    async () => times.known.push(await get(http, 1)),
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
