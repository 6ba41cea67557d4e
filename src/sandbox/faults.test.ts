import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FaultInput } from './faults/fault.ts';
import { readPage } from './read-page.ts';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

const VIDEO = '/media/videos/iv_nursing_001/nurse-patient-safety.mp4';
const listing = (query = '', init: RequestInit = {}) =>
  fetch(`${sandbox.interviewServiceUrl}/funnels/nursing/interviews${query}`, {
    ...init,
    headers: { authorization: 'Bearer sandbox-key-nursing' },
  });
const video = (headers: Record<string, string> = {}) => fetch(sandbox.url + VIDEO, { headers });
const fail = (fault: FaultInput) => sandbox.control.fail(fault);

/** Returns how many bytes arrived before the download ended, and whether it was complete. */
async function download(response: Response) {
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    return { bytes, isWhole: true };
  } catch {
    return { bytes, isWhole: false };
  }
}

test.each([308, 401, 403, 404, 429, 500, 503])('status %i, as often as asked', async (status) => {
  fail({ kind: 'status', status, times: 1 });

  const failed = await listing();
  expect(failed.status).toBe(status);
  expect(await failed.json()).toEqual({ error: expect.any(String), message: expect.any(String) });
  expect((await listing()).status).toBe(200);
});

test('429 has a Retry-After in seconds or as a date', async () => {
  fail({ kind: 'status', status: 429, retryAfterSeconds: 7, times: 1 });
  fail({ kind: 'status', status: 429, retryAfterSeconds: 7, retryAfterAs: 'date' });

  expect((await listing()).headers.get('retry-after')).toBe('7');
  const date = Date.parse((await listing()).headers.get('retry-after') ?? '');
  expect(Math.abs(date - Date.now() - 7000)).toBeLessThan(1500);
});

test('an error body need not be JSON', async () => {
  fail({ kind: 'status', status: 502, body: '<h1>Bad gateway</h1>' });

  const response = await listing();
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(await response.text()).toBe('<h1>Bad gateway</h1>');
});

test('a fault can be limited to a funnel, a page, a path, and begin later', async () => {
  fail({ kind: 'status', status: 500, funnelId: 'engineering' });
  fail({ kind: 'status', status: 501, onPage: 2 });
  const thumbnails = fail({ kind: 'status', status: 502, on: 'media', path: '/media/thumbnails/*' });
  fail({ kind: 'status', status: 503, onPage: 3, skip: 1 });

  expect((await listing()).status).toBe(200);
  expect((await listing('?page=2')).status).toBe(501);
  expect((await listing('?page=3')).status).toBe(200);
  expect((await listing('?page=3')).status).toBe(503);
  expect((await video()).status).toBe(200);
  expect((await fetch(`${sandbox.url}/media/thumbnails/nurse-family.jpg`)).status).toBe(502);
  expect(thumbnails.hits()).toBe(1);
});

test('a fault of media can be limited to the files of a funnel', async () => {
  fail({ kind: 'status', status: 410, on: 'media', funnelId: 'nursing' });

  expect((await video()).status).toBe(410);
  expect((await fetch(`${sandbox.url}/media/videos/iv_engineering_001/eng-types.mp4`)).status).toBe(200);
});

test('latency delays lists and media', async () => {
  fail({ kind: 'latency', ms: 120 });
  fail({ kind: 'latency', ms: 120, on: 'media' });

  for (const ask of [listing, video]) {
    const start = performance.now();
    await (await ask()).arrayBuffer();
    expect(performance.now() - start).toBeGreaterThan(115);
  }
});

test('a hanging request never gets a response', async () => {
  const hanging = fail({ kind: 'hang' });
  const client = new AbortController();
  const response = listing('', { signal: client.signal });
  await expect.poll(() => hanging.hits()).toBe(1);

  setTimeout(() => client.abort(), 50);
  await expect(response).rejects.toThrow('aborted');
  await expect.poll(() => sandbox.requests.list()).toMatchObject([{ status: 0 }]);
});

test('connections are reset before or after the headers', async () => {
  fail({ kind: 'reset', when: 'before-headers', times: 1 });
  fail({ kind: 'reset', when: 'after-headers' });

  await expect(listing()).rejects.toThrow();
  const response = await listing();
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

test('lists can be bad JSON, another shape, or cut off', async () => {
  fail({ kind: 'bad-json', times: 1 });
  fail({ kind: 'wrong-shape', times: 1 });
  fail({ kind: 'wrong-shape', body: [1], times: 1 });
  fail({ kind: 'truncated-list', times: 1 });

  await expect((await listing()).json()).rejects.toThrow(SyntaxError);
  expect(await (await listing()).json()).toMatchObject({ interviews: { items: [] } });
  expect(await (await listing()).json()).toEqual([1]);
  const { bytes, isWhole } = await download(await listing());
  expect([bytes > 0, isWhole]).toEqual([true, false]);
});

test('ids can appear on two pages, and a reader that trusts the total still gets all', async () => {
  fail({ kind: 'duplicate-ids', count: 2 });

  const pages = await Promise.all([1, 2, 3].map((page) => readPage(sandbox, 'nursing', `?limit=4&page=${page}`)));
  const ids = pages.flatMap(({ interviews }) => interviews.map(({ id }) => id));
  expect(pages.map(({ total }) => total)).toEqual([12, 12, 12]);
  expect(ids).toHaveLength(12);
  expect(new Set(ids).size).toBe(8);
});

test('signed addresses end with the next listing, or when they expire', async () => {
  fail({ kind: 'signed-urls', status: 410 });
  const url = async () => (await readPage(sandbox, 'nursing')).interviews[0]?.videoUrl ?? '';
  const statusOf = async (url: string) => (await fetch(url, { method: 'HEAD' })).status;

  const first = await url();
  expect(await statusOf(first)).toBe(200);
  const second = await url();
  expect([await statusOf(first), await statusOf(second)]).toEqual([410, 200]);
  sandbox.control.expireSignatures();
  expect(await statusOf(second)).toBe(410);
  expect((await video()).status).toBe(410);
});

test.each(['broken', 'truncated'] as const)(
  'a %s download ends after so many bytes and can be resumed',
  async (kind) => {
    const size = Number((await video()).headers.get('content-length'));
    fail({ kind, afterBytes: 50_000, times: 1 });

    const response = await video();
    expect(response.headers.get('content-length')).toBe(String(size));
    const { bytes, isWhole } = await download(response);
    expect(isWhole).toBe(false);
    // A reset may overtake unread bytes; an orderly end may not.
    if (kind === 'truncated') expect(bytes).toBe(50_000);
    expect(bytes).toBeLessThanOrEqual(50_000);
    expect(await download(await video({ range: `bytes=${bytes}-` }))).toEqual({ bytes: size - bytes, isWhole: true });
  },
);

test('a stalled download sends its first bytes and then nothing', async () => {
  fail({ kind: 'stall', afterBytes: 1000 });

  const response = await fetch(sandbox.url + VIDEO, { signal: AbortSignal.timeout(200) });
  expect(await download(response)).toEqual({ bytes: 1000, isWhole: false });
});

test('a slow download drips', async () => {
  fail({ kind: 'slow', bytesPerSecond: 1000 });

  const start = performance.now();
  await download(await video({ range: 'bytes=0-199' }));
  expect(performance.now() - start).toBeGreaterThan(150);
});

test('length, ranges and ETag can be missing, and the ETag can change', async () => {
  fail({ kind: 'no-content-length', times: 1 });
  fail({ kind: 'no-range', times: 1, skip: 1 });
  fail({ kind: 'no-etag', times: 1, skip: 2 });
  fail({ kind: 'changing-etag', skip: 2 });

  const chunked = await video();
  expect([chunked.headers.get('content-length'), chunked.headers.get('transfer-encoding')]).toEqual([null, 'chunked']);
  const whole = await video({ range: 'bytes=5-' });
  expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, null]);
  expect((await video()).headers.get('etag')).toBeNull();
  await video();
  await video();
  const [first, second] = [(await video()).headers.get('etag'), (await video()).headers.get('etag')];
  expect(first).not.toBe(second);
});
