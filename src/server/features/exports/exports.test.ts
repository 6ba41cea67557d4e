import { sql } from 'kysely';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { createApiToken } from '#contracts/api-tokens.ts';
import { recordPrinting } from '#contracts/exports.ts';
import { listReviews, saveReview } from '#contracts/reviews.ts';
import { type Person, refusal } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { listen } from '#support/live-socket.ts';
import { signedInAs } from '#support/people.ts';
import { logsOf } from '#support/processing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

async function setUp() {
  const product = await startApp({ jobs: false });
  const admin = await product.signedIn();
  const nurses = await product.build.funnel(admin, { name: 'Nurses', clientName: 'Mercy', funnelId: 'nurses' });
  const cooks = await product.build.funnel(admin, { name: 'Cooks', clientName: 'Acme', funnelId: 'cooks' });
  await insertInterviews(product.db, [
    {
      ...{ id: 'a 1', funnelId: nurses, title: 'Ada for nursing', candidateName: 'Ada "Countess", Lovelace' },
      ...{ recordedAt: '2026-03-03T10:00:00Z', seconds: 3_725, summaryStatus: 'completed' },
      ...{ destinationId: 'BUB-A-1' },
    },
    { id: 'b', funnelId: cooks, title: 'Bob for cooking', candidateName: 'Zoë', recordedAt: '2026-03-02T10:00:00Z' },
    { id: 'c', funnelId: nurses, title: 'Cy for nursing', archived: true },
    { id: 'd', funnelId: nurses, title: 'Dee for nursing', seconds: 30 },
  ]);
  return { product, admin, nurses, cooks };
}

const csvOf = (person: Person, query = '') =>
  person.request({ method: 'GET', url: `/api/interviews.csv${query === '' ? '' : `?${query}`}` });
/** Each row as an object with column names as keys. */
async function rowsOf(person: Person, query?: string): Promise<Record<string, string>[]> {
  const { statusCode, body } = await csvOf(person, query);
  expect([statusCode, body.slice(0, 13)]).toEqual([200, '\uFEFF"Candidate",']);
  const { data, errors } = Papa.parse<Record<string, string>>(body.trimEnd(), { header: true });
  expect(errors).toEqual([]);
  return data;
}
const titlesOf = async (person: Person, query?: string) => (await rowsOf(person, query)).map(({ Title }) => Title);

describe('the export of the list', () => {
  test('the file is UTF-8 CSV (RFC 4180) with a row for each interview', async () => {
    const { admin } = await setUp();
    const { headers, body } = await csvOf(admin);
    expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' });
    expect(headers['content-disposition']).toMatch(/^attachment; filename="interviews \d{4}-\d\d-\d\d\.csv"/);
    expect(body).toContain('\r\n"Ada ""Countess"", Lovelace",');
    expect(body.endsWith('\r\n')).toBe(true);
    expect((await rowsOf(admin))[0]).toEqual({
      ...{ Candidate: 'Ada "Countess", Lovelace', Email: '', Title: 'Ada for nursing', Job: 'Nurses', Client: 'Mercy' },
      ...{ 'Recorded (UTC)': '2026-03-03 10:00:00', Duration: '1:02:05', Status: 'Sent', Video: 'Not started' },
      ...{ Transcript: 'Not started', Summary: 'Completed', Destination: 'BUB-A-1', Watched: 'No' },
      'Destination link': expect.stringMatching(/^https?:/),
      ...{ 'My decision': '', "Others' reviews": '0', 'Average rating': '', 'Recommended by': '', Archived: 'No' },
      Link: 'http://localhost:80/?interview=a+1',
    });
  });

  test('it accepts the query of the list, and contains the same interviews in the same order', async () => {
    const { admin, nurses } = await setUp();
    for (const query of ['', 'sort=oldest', 'sort=longest', 'archived=1', `funnelId=${nurses}`, 'clientName=Acme']) {
      const { interviews } = (await admin.request({ method: 'GET', url: `/api/interviews?${query}` })).json();
      expect([query, await titlesOf(admin, query)]).toEqual([query, interviews.map(({ title }: Titled) => title)]);
    }
    expect(await titlesOf(admin, 'search=nursing&page=7&limit=1')).toEqual(['Ada for nursing', 'Dee for nursing']);
    expect(await titlesOf(admin, 'search=nobody')).toEqual([]);
    expect(await titlesOf(admin, 'id=d&id=b&id=unknown')).toEqual(['Bob for cooking', 'Dee for nursing']);
    for (const [query, field] of [
      ['status=none', 'status'],
      ['startDate=yesterday', 'startDate'],
      ['id=', 'id'],
    ] as const) {
      const { statusCode, json } = await csvOf(admin, query);
      expect([statusCode, json().field]).toEqual([400, field]);
    }
  });

  test('it contains only visible funnels, needs the scope read, and writes one log entry with the count', async () => {
    const { product, admin, nurses, cooks } = await setUp();
    const ann = await signedInAs(product, { role: 'recruiter', funnelIds: [nurses] });
    const bob = await signedInAs(product, { role: 'reviewer', funnelIds: [cooks] });
    expect(await titlesOf(ann)).toEqual(['Ada for nursing', 'Dee for nursing']);
    expect(await titlesOf(bob)).toEqual(['Bob for cooking']);
    expect(await titlesOf(bob, `funnelId=${nurses}`)).toEqual([]);
    expect(await titlesOf(bob, 'id=d&id=b')).toEqual(['Bob for cooking']);
    expect((await csvOf(product.anonymous())).statusCode).toBe(401);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const withToken = async (scopes: ('read' | 'write' | 'process' | 'logs')[]) => {
      const { token } = await admin.call(createApiToken, { body: { name: 'Export', scopes, expiresAt } });
      const headers = { authorization: `Bearer ${token}` };
      return product.anonymous().request({ method: 'GET', url: '/api/interviews.csv', headers });
    };
    expect((await withToken(['write', 'process', 'logs'])).json().message).toBe('This API token needs the scope read.');
    expect((await withToken(['read'])).body).toContain('Zoë');

    const entries = await logsOf(ann, 'export-interviews');
    expect(entries.map(({ summary, details }) => [summary, details])).toEqual([
      ['Exported 2 interviews as CSV.', { count: 2, isComplete: true }],
    ]);
    expect(await logsOf(admin, 'export-interviews')).toHaveLength(5);
    expect(JSON.stringify(await logsOf(admin, 'export-interviews'))).not.toMatch(/Ada|Zoë/);
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(1)', "'@SUM(1)"],
    ['＝1', "'＝1"],
    ['  =1', "  '=1"],
    ['=1\nsecond line', "'=1\nsecond line"],
    ['Ada\n=1', "Ada\n'=1"],
    ['Ada;=1', "Ada;'=1"],
    ['Ada, -1', "Ada, '-1"],
    ['"=1', '"=1'],
    ['\tAda', "'\tAda"],
    ['\rAda', "'\rAda"],
    ['Ada\t=1', "Ada\t'=1"],
    ['Smith-Jones + Sons = @home', 'Smith-Jones + Sons = @home'],
  ])('a spreadsheet does not evaluate the name %j', async (name, shown) => {
    const { product, admin } = await setUp();
    await sql`UPDATE interview SET candidate_name = ${name}, title = ${name} WHERE id = 'd'`.execute(product.db);
    const [row] = await rowsOf(admin, 'id=d');
    expect([row?.Candidate, row?.Title]).toEqual([shown, shown]);
  });

  test("others' reviews are counted; their average and recommendations appear once the caller's own is submitted", async () => {
    const { product, admin } = await setUp();
    const [ann, bob, cleo] = [
      await signedInAs(product, { role: 'recruiter', username: 'ann' }),
      await signedInAs(product, { role: 'reviewer', username: 'bob' }),
      await signedInAs(product, { role: 'reviewer', username: 'cleo' }),
    ];
    const submit = (person: Person, recommendation: number, rating?: number) =>
      person.call(saveReview, {
        params: { id: 'd' },
        body: { recommendation, submit: true, ...(rating && { ratings: { overall: rating } }) },
      });
    await submit(ann, 4, 5);
    await submit(bob, 2, 2);
    const reviewsIn = async (person: Person) => {
      const [row] = await rowsOf(person, 'id=d');
      return [row?.['My decision'], row?.["Others' reviews"], row?.['Average rating'], row?.['Recommended by']];
    };
    expect(await reviewsIn(admin)).toEqual(['', '2', '', '']);
    expect(await reviewsIn(ann)).toEqual(['Strong yes', '1', '3.5', 'ann']);
    expect((await admin.call(listReviews, { params: { id: 'd' } })).others[0]?.content).toBeNull();

    await submit(cleo, 3);
    expect(await reviewsIn(cleo)).toEqual(['Yes', '2', '3.5', 'ann, cleo']);
    // The export has shown others' reviews, so later ratings are not first ratings.
    await submit(cleo, 3, 1);
    expect((await cleo.call(listReviews, { params: { id: 'd' } })).average?.ratings).toEqual({ overall: 3.5 });
  });
});

type Titled = { title: string };

describe('printing', () => {
  test('printing writes one log entry, opens no reviews, and is limited to visible interviews', async () => {
    const { product, admin, nurses } = await setUp();
    const bob = await signedInAs(product, { role: 'reviewer', funnelIds: [nurses] });
    await admin.call(saveReview, { params: { id: 'd' }, body: { recommendation: 4, submit: true } });
    const print = (interviewIds: string[]) => bob.call(recordPrinting, { body: { interviewIds } });
    await print(['d']);
    await print(['a 1', 'd', 'd']);
    for (const ids of [['b'], ['d', 'b'], ['nobody']]) expect(await refusal(print(ids))).toMatchObject({ status: 404 });
    expect((await bob.call(listReviews, { params: { id: 'd' } })).others[0]?.content).toBeNull();
    expect(
      (await logsOf(admin, 'print-interviews')).map(({ summary, details, actor }) => [summary, details, actor?.kind]),
    ).toEqual([
      [
        'Printed a comparison of 2 interviews.',
        { count: 2, interviews: [{ interviewId: 'a 1' }, { interviewId: 'd' }] },
        'account',
      ],
      ['Printed "Dee for nursing".', { count: 1, interviews: [{ interviewId: 'd' }] }, 'account'],
    ]);
  });
});

describe('a long export', () => {
  const openTransactions = async ({ db }: TestApp) => {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
    `.execute(db);
    return rows[0]?.n;
  };

  async function withMany() {
    const { product, admin, cooks } = await setUp();
    await sql`
      INSERT INTO interview (id, funnel_id, title, recorded_at, created_at)
      SELECT 'many-' || n, ${cooks}, repeat('A long title ', 40) || n, '2026-02-01', '2026-02-01' FROM generate_series(1, 20000) AS n
    `.execute(product.db);
    return { product, admin, url: `${await listen(product)}/api/interviews.csv?funnelId=${cooks}` };
  }

  test('stops when the client disconnects, releases its connection, and is recorded as interrupted', async () => {
    const { product, admin, url } = await withMany();
    const leaving = new AbortController();
    const headers = { cookie: admin.cookie ?? '' };
    const response = await fetch(url, { headers, signal: leaving.signal });
    await response.body?.getReader().read();
    await until('the export waits for its client', async () => (await openTransactions(product)) === 1);
    leaving.abort();
    const [entry] = await until('the export is recorded', async () => {
      const entries = await logsOf(admin, 'export-interviews');
      return entries.length > 0 && entries;
    });
    expect(entry).toMatchObject({ status: 'warning', details: { isComplete: false }, actor: { name: 'admin' } });
    expect(Number(entry?.details?.count)).toBeLessThan(20_000);
    await until('the transaction has ended', async () => (await openTransactions(product)) === 0);
    expect((await (await fetch(url, { headers })).text()).split('\r\n')).toHaveLength(20_003);
  });

  test('a third concurrent export is rejected until one has ended', async () => {
    const { admin, url } = await withMany();
    const headers = { cookie: admin.cookie ?? '' };
    const leaving = new AbortController();
    await Promise.all([1, 2].map(() => fetch(url, { headers, signal: leaving.signal })));
    const refused = await fetch(url, { headers });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    leaving.abort();
    await until('another export starts', async () => (await csvOf(admin, 'id=b')).statusCode === 200);
  });
});
