import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import type { Person } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { ReadQuota } from './read-quota.ts';

const QUOTA = 20;

/** A signed-in user, 40 interviews with transcripts, 40 videos and a thumbnail. */
async function started() {
  const product = await startApp({ jobs: false, env: { READ_QUOTA: String(QUOTA) } });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.funnel(recruiter);
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  await insertInterviews(
    product.db,
    numbers.map((number) => ({ id: `iv_${number}`, funnelId, transcript: `Words ${number}` })),
  );
  const files = join(product.dataDir, 'files');
  await mkdir(join(files, 'videos'), { recursive: true });
  await mkdir(join(files, 'thumbnails'), { recursive: true });
  for (const number of numbers) await writeFile(join(files, `videos/${number}.mp4`), 'a video');
  await writeFile(join(files, 'thumbnails/a.jpg'), 'a picture');
  return { product, recruiter };
}

const get = (person: Person, url: string) => person.request({ method: 'GET', url });
const statusOf = async (person: Person, url: string) => (await get(person, url)).statusCode;
async function statusesOf(person: Person, urls: readonly string[]) {
  const seen: number[] = [];
  for (const url of urls) seen.push(await statusOf(person, url));
  return seen;
}
const times = (count: number, url: (number: number) => string) => Array.from({ length: count }, (_, n) => url(n));

test('one session reads a limited number of recordings and texts, with a message when to continue', async () => {
  const { product, recruiter } = await started();
  const texts = times(QUOTA / 2, (n) => `/api/interviews/iv_${n}/transcript`);
  const videos = times(QUOTA / 2, (n) => `/api/files/video/${n}.mp4`);
  expect(new Set(await statusesOf(recruiter, [...texts, ...videos]))).toEqual(new Set([200]));
  for (const url of [
    '/api/files/video/39.mp4',
    '/api/interviews/iv_39',
    '/api/interviews/iv_39/transcript',
    '/api/interviews/iv_39/transcript.vtt',
    '/api/interviews/iv_39/transcript.txt',
    '/api/interviews/iv_39/summary',
    '/api/interviews',
    '/api/files/thumbnail/a.jpg',
  ]) {
    const refused = await get(recruiter, url);
    expect([url, refused.statusCode]).toEqual([url, 429]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(100);
    expect(refused.json()).toMatchObject({ code: 'too_many_requests', message: expect.stringContaining('3 minutes') });
  }
  expect(await statusOf(recruiter, '/api/interviews?texts=false')).toBe(200);
  expect(await statusOf(await product.signedIn(), '/api/files/video/39.mp4')).toBe(200);
});

test('the list with its texts, read again and again, reaches the limit', async () => {
  const { recruiter } = await started();
  const seen = await statusesOf(
    recruiter,
    times(25, () => '/api/interviews?limit=10'),
  );
  expect([seen[0], seen.at(-1)]).toEqual([200, 429]);
  expect((await recruiter.call(listInterviews, { query: { limit: 10, texts: 'false' } })).interviews).toHaveLength(10);
});

test('a page of 100 thumbnails and 100 ranges of one video stay below the limit', async () => {
  const { recruiter } = await started();
  const seen = await statusesOf(recruiter, [
    ...times(100, () => '/api/files/thumbnail/a.jpg'),
    ...times(100, () => '/api/files/video/1.mp4'),
  ]);
  expect(new Set(seen)).toEqual(new Set([200]));
});

test('an exceeded quota is logged once, with the account', async () => {
  const { recruiter } = await started();
  await statusesOf(
    recruiter,
    times(QUOTA + 5, (n) => `/api/files/video/${n}.mp4`),
  );
  const entries = await until('an entry', async () => {
    const { logs } = await recruiter.call(listLogs, { query: {} });
    const found = logs.filter(({ action }) => action === 'read-quota-exceeded');
    return found.length > 0 ? found : null;
  });
  expect(entries).toMatchObject([
    { type: 'auth', status: 'warning', actor: { name: 'admin' }, summary: expect.stringContaining('more than 20') },
  ]);
});

test('the quota is refilled over an hour, and exceeding it is reported again after half of it', () => {
  let now = 0;
  const onExceeded = vi.fn();
  const quota = new ReadQuota({ perHour: 60, onExceeded, now: () => now });
  const request = { cookies: { session: 'a'.repeat(43) }, protocol: 'http' } as unknown as FastifyRequest;
  let id = 0;
  /** Returns how many of `count` reads are allowed. */
  const read = (count: number) => {
    const end = id + count;
    try {
      for (; id < end; id += 1) quota.spend(request, [{ kind: 'video', id: String(id) }]);
    } catch {}
    return id - end + count;
  };
  expect(read(100)).toBe(60);
  now += 10 * 60_000;
  expect(read(100)).toBe(10);
  expect(onExceeded).toHaveBeenCalledTimes(1);
  now += 3_600_000 * 3;
  expect(read(100)).toBe(60);
  expect(onExceeded).toHaveBeenCalledTimes(2);
});
