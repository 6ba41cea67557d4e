import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SANDBOX_FUNNELS } from './funnels.ts';
import { EDGE_CASES } from './interviews/edge-cases.ts';
import { SCRIPTS } from './media/scripts.ts';
import { readPage } from './read-page.ts';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

const listing = (path: string, key?: string) =>
  fetch(sandbox.interviewServiceUrl + path, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } });
const engineering = (query = '') => readPage(sandbox, 'engineering', query);

test('four funnels with different keys have at least 60 interviews, the demonstration at least 36', async () => {
  const totals = await Promise.all(
    sandbox.funnels.map(async ({ funnelId }) => (await readPage(sandbox, funnelId)).total),
  );

  expect(totals).toEqual([40, 14, 8, 4]);
  expect(new Set(sandbox.funnels.map(({ apiKey }) => apiKey)).size).toBe(4);
});

test('each start creates the same data', async () => {
  const other = await startSandbox();
  expect(other.control.interviews('nursing')).toEqual(sandbox.control.interviews('nursing'));
  await other.close();
});

test('interviews are spread over the ten months before 20 November 2026', () => {
  for (const { funnelId } of sandbox.funnels) {
    for (const { createdAt } of sandbox.control.interviews(funnelId)) {
      expect(createdAt && createdAt > '2026-01-20' && createdAt < '2026-11-20').toBe(true);
    }
  }
});

test('pages follow each other without a gap and the page beyond the last is empty', async () => {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => engineering(`?limit=15&page=${page}`)));

  expect(pages.map(({ interviews }) => interviews.length)).toEqual([15, 15, 10, 0]);
  expect(pages.map(({ total }) => total)).toEqual([40, 40, 40, 40]);
  expect(new Set(pages.flatMap(({ interviews }) => interviews.map(({ id }) => id))).size).toBe(40);
});

test('createdAfter excludes its own instant, createdBefore includes it, and total counts what matches', async () => {
  const { interviews } = await engineering();
  const [at = '', ...older] = interviews.slice(10).map(({ createdAt }) => createdAt ?? '');

  expect(await engineering(`?createdAfter=${at}`)).toMatchObject({ total: 10 });
  expect(await engineering(`?createdBefore=${at}`)).toMatchObject({ total: 30 });
  expect((await engineering(`?createdBefore=${at}`)).interviews[0]?.createdAt).toBe(at);
  expect(await engineering(`?createdAfter=${older[4]}&createdBefore=${at}&limit=2`)).toMatchObject({ total: 5 });
  expect(await engineering(`?createdAfter=${at}&createdBefore=${at}`)).toMatchObject({ total: 0, interviews: [] });
});

test.each([
  ['no key', '/funnels/engineering/interviews', undefined, 401],
  ['a wrong key', '/funnels/engineering/interviews', 'nonsense', 401],
  ['the key of another funnel', '/funnels/engineering/interviews', 'sandbox-key-nursing', 403],
  ['an unknown funnel', '/funnels/none/interviews', 'sandbox-key-nursing', 404],
  ['another path', '/funnels', 'sandbox-key-nursing', 404],
  ['page 0', '/funnels/nursing/interviews?page=0', 'sandbox-key-nursing', 400],
  ['limit 1001', '/funnels/nursing/interviews?limit=1001', 'sandbox-key-nursing', 400],
  ['an invalid date', '/funnels/nursing/interviews?createdAfter=soon', 'sandbox-key-nursing', 400],
])('%s is rejected with the error body of the contract', async (_, path, key, status) => {
  const response = await listing(path, key);

  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: expect.any(String), message: expect.any(String) });
});

test('the edge cases of real lists are there', async () => {
  const { interviews } = await engineering('?limit=1000');
  const at = (name: keyof typeof EDGE_CASES) => interviews.toReversed()[EDGE_CASES[name]?.at ?? -1];

  expect(at('noVideo')).toMatchObject({ videoUrl: null, durationSeconds: 0 });
  expect(at('noDuration')).toMatchObject({ videoUrl: expect.any(String), durationSeconds: 0 });
  expect(at('noEmail')?.candidate).toMatchObject({ name: expect.any(String), email: null });
  expect(at('noName')?.candidate?.name).toBeUndefined();
  expect(at('noCandidate')?.candidate).toBeNull();
  expect(at('noThumbnail')?.thumbnailUrl).toBeNull();
  expect(at('longTitle')?.title?.length).toBeGreaterThan(300);
  expect(at('hostileQuestion')?.questions?.[0]?.question).toContain('<script>');
  expect(interviews.some(({ videoUrl }) => videoUrl?.endsWith('.webm'))).toBe(true);
});

test('every interview lists the questions that its recording asks, in their order', async () => {
  for (const { funnelId } of SANDBOX_FUNNELS) {
    const { interviews } = await readPage(sandbox, funnelId, '?limit=1000');
    for (const { videoUrl, questions } of interviews) {
      const asked = SCRIPTS.find(({ id }) => videoUrl?.includes(`/${id}.`))?.answers.map(({ question }) => question);
      const shown = questions?.map(({ question }) => question.replace(/<script>.*<\/script>|<[^>]*>/g, ''));
      // Edge cases have no questions, or no recording.
      if (asked && shown && shown.length > 0) expect(shown).toEqual(asked);
    }
  }
});

test('adding, changing and removing show in the next listing, and a reset undoes them', async () => {
  sandbox.control.add('nursing', { id: 'new', createdAt: '2026-11-20T00:00:00Z' });
  sandbox.control.change('nursing', 'iv_nursing_001', { title: 'Changed' });
  sandbox.control.remove('nursing', 'iv_nursing_002');
  const { interviews } = await readPage(sandbox, 'nursing');

  expect(interviews[0]).toEqual({ id: 'new', createdAt: '2026-11-20T00:00:00Z' });
  expect(interviews.find(({ id }) => id === 'iv_nursing_001')?.title).toBe('Changed');
  expect(interviews.some(({ id }) => id === 'iv_nursing_002')).toBe(false);
  sandbox.control.reset();
  expect(await readPage(sandbox, 'nursing')).toMatchObject({ total: 8 });
});

test('growing adds generated interviews, with videos of a given size or with none', async () => {
  sandbox.control.grow('warehouse', 5000);
  const [grown] = sandbox.control.grow('engineering', 3, { videoBytes: 2_000_000 });

  expect(await readPage(sandbox, 'warehouse')).toMatchObject({ total: 5004 });
  const video = await fetch(sandbox.url + grown?.videoUrl);
  expect((await video.arrayBuffer()).byteLength).toBe(2_000_000);
});

test('the journal records requests and the bytes sent', async () => {
  await engineering('?page=2&limit=5');
  await fetch(`${sandbox.url}/media/videos/eng-types.mp4`, { headers: { range: 'bytes=0-99' } }).then((r) => r.blob());

  expect(sandbox.requests.list()).toMatchObject([
    { method: 'GET', query: { page: '2', limit: '5' }, status: 200, range: null },
    { path: '/media/videos/eng-types.mp4', range: 'bytes=0-99', status: 206, bytes: 100 },
  ]);
  expect(sandbox.requests.counters()).toMatchObject({ requests: 2, byStatus: { 200: 1, 206: 1 } });
  expect(sandbox.requests.list('/media')).toHaveLength(1);
});

test('the journal keeps a limited number of requests', async () => {
  const small = await startSandbox({ journalSize: 3 });
  for (const page of [1, 2, 3, 4, 5, 6, 7]) await readPage(small, 'nursing', `?page=${page}`);

  expect(small.requests.list().map(({ query }) => query.page)).toEqual(['5', '6', '7']);
  expect(small.requests.counters().requests).toBe(7);
  await small.close();
});
