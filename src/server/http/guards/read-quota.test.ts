import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import type { Person } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

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

test('an account reads a limited number of recordings and texts, with a message when to continue', async () => {
  const { recruiter } = await started();
  const texts = times(QUOTA / 2, (n) => `/api/interviews/iv_${n}/transcript`);
  const videos = times(QUOTA / 2, (n) => `/api/files/video/${n}.mp4`);
  expect(new Set(await statusesOf(recruiter, [...texts, ...videos]))).toEqual(new Set([200]));
  for (const url of [
    '/api/files/video/39.mp4',
    '/api/interviews/iv_39',
    '/api/interviews/iv_39/transcript',
    '/api/interviews/iv_39/captions',
    '/api/interviews/iv_39/transcript.vtt',
    '/api/interviews/iv_39/transcript.srt',
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
});

test('reading the list with its texts repeatedly reaches the limit', async () => {
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

test('a new sign-in and another process do not renew the quota of an account', async () => {
  const { product, recruiter } = await started();
  await statusesOf(
    recruiter,
    times(QUOTA / 2, (n) => `/api/files/video/${n}.mp4`),
  );
  const { database, dataDir } = product;
  const second = await startApp({
    ...{ jobs: false, isAlone: false, database, dataDir },
    env: { READ_QUOTA: String(QUOTA) },
  });
  const again = await second.signedIn();
  const seen = await statusesOf(
    again,
    times(QUOTA / 2 + 2, (n) => `/api/files/video/${20 + n}.mp4`),
  );
  expect(seen).toEqual([...Array<number>(QUOTA / 2).fill(200), 429, 429]);
  // The first process has not settled yet: one read is a hundredth of the quota or more.
  const last = await statusesOf(await product.signedIn(), ['/api/files/video/38.mp4', '/api/files/video/39.mp4']);
  expect(last.at(-1)).toBe(429);
});

test('half of a quota and its end are logged once each, with the account', async () => {
  const { product, recruiter } = await started();
  const { database, dataDir } = product;
  const second = await startApp({
    ...{ jobs: false, isAlone: false, database, dataDir },
    env: { READ_QUOTA: String(QUOTA) },
  });
  for (const person of [recruiter, await second.signedIn()])
    await statusesOf(
      person,
      times(QUOTA + 2, (n) => `/api/files/video/${n}.mp4`),
    );
  const { logs } = await recruiter.call(listLogs, { query: { limit: 100 } });
  expect(logs.filter(({ action }) => action.startsWith('read-quota'))).toMatchObject([
    { type: 'auth', status: 'warning', actor: { name: 'admin' }, summary: expect.stringContaining('more than 20') },
    { type: 'auth', status: 'warning', actor: { name: 'admin' }, summary: expect.stringContaining('half') },
  ]);
});

test('the quota is refilled over an hour, and its use is then logged again', async () => {
  const { product, recruiter } = await started();
  let id = 0;
  /** Returns how many of 25 further recordings and transcripts can be read. */
  const read = async () => {
    const seen = await statusesOf(
      recruiter,
      times(25, () => {
        id += 1;
        return id % 2 ? `/api/files/video/${(id - 1) / 2}.mp4` : `/api/interviews/iv_${id / 2}/transcript`;
      }),
    );
    return seen.filter((status) => status === 200).length;
  };
  /** Also waits until the process reads the quota again, with a thumbnail for a twentieth. */
  const pass = async (minutes: number) => {
    await sql`UPDATE read_quota SET refilled_at = refilled_at - make_interval(mins => ${minutes})`.execute(product.db);
    await until('reads are allowed', async () => (await statusOf(recruiter, '/api/files/thumbnail/a.jpg')) === 200);
  };
  const warnings = async () =>
    (await recruiter.call(listLogs, { query: { limit: 100 } })).logs.filter(({ action }) =>
      action.startsWith('read-quota'),
    ).length;
  expect([await read(), await warnings()]).toEqual([20, 2]);
  await pass(10);
  expect([await read(), await warnings()]).toEqual([3, 2]);
  await pass(180);
  expect([await read(), await warnings()]).toEqual([19, 4]);
});
