import { readdirSync, statSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MEDIA_DIR, readTranscript } from './interviews/recordings.ts';
import { SCRIPTS } from './media/scripts.ts';
import { readPage } from './read-page.ts';
import { type Sandbox, startSandbox } from './start-sandbox.ts';
import { initialVideoAsk, VIDEOASK_FORM } from './videoask/initial-videoask.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

const VIDEO = '/media/videos/eng-types.mp4';
const GENERATED = '/media/generated/3000000/one.mp4';
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(sandbox.url + path, { headers, method });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test('all media together are at most 6 MB', () => {
  const total = readdirSync(MEDIA_DIR).reduce((sum, name) => sum + statSync(new URL(name, MEDIA_DIR)).size, 0);
  expect(total).toBeLessThan(6_000_000);
});

test.each(SCRIPTS.map(({ id, container }) => ({ id, container })))(
  '$id exists with its thumbnail and transcript',
  async ({ id, container }) => {
    expect((await get(`/media/videos/${id}.${container}`, {}, 'HEAD')).status).toBe(200);
    expect((await get(`/media/thumbnails/${id}.jpg`, {}, 'HEAD')).headers.get('content-type')).toBe('image/jpeg');

    const { text, segments } = readTranscript(id);
    expect(text).toBe(segments.map((segment) => segment.text).join(' '));
    const times = segments.flatMap(({ start, end }) => [start, end]);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  },
);

test('every listed address plays and is unique', async () => {
  const { interviews } = await readPage(sandbox, 'engineering');
  const urls = interviews
    .flatMap(({ videoUrl, thumbnailUrl }) => [videoUrl, thumbnailUrl])
    .filter((url) => url != null);
  const responses = await Promise.all(urls.map((url) => fetch(url, { method: 'HEAD' })));

  expect(responses.every(({ status }) => status === 200)).toBe(true);
  expect(new Set(urls).size).toBe(urls.length);
});

test.each([VIDEO, GENERATED])(
  '%s has a length, a date, an ETag and ranges; HEAD returns the same headers',
  async (path) => {
    const whole = await get(path);
    const body = await bytesOf(whole);
    const head = await get(path, {}, 'HEAD');

    expect(whole.headers.get('content-length')).toBe(String(body.length));
    for (const name of ['content-length', 'etag', 'last-modified', 'accept-ranges', 'content-type']) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
      expect(head.headers.get(name)).toBeTruthy();
    }
    expect((await bytesOf(head)).length).toBe(0);
    expect((await get(path, { 'if-none-match': whole.headers.get('etag') ?? '' })).status).toBe(304);
  },
);

test.each([VIDEO, GENERATED])('%s returns the same bytes by ranges', async (path) => {
  const whole = await bytesOf(await get(path));
  const size = whole.length;
  const ranges: [string, number, number][] = [
    ['bytes=0-0', 0, 1],
    ['bytes=1000-1999', 1000, 2000],
    ['bytes=100000-', 100_000, size],
    ['bytes=-500', size - 500, size],
    [`bytes=150000-${size * 2}`, 150_000, size],
  ];
  for (const [range, start, end] of ranges) {
    const part = await get(path, { range });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`);
    expect((await bytesOf(part)).equals(whole.subarray(start, end))).toBe(true);
  }
});

test('a range beyond the end is rejected with the size, and an invalid one is ignored', async () => {
  const refused = await get(GENERATED, { range: 'bytes=3000000-' });

  expect([refused.status, refused.headers.get('content-range')]).toEqual([416, 'bytes */3000000']);
  expect((await get(VIDEO, { range: 'bytes=5-2' })).status).toBe(200);
  expect((await get(VIDEO, { range: 'lines=1-2' })).status).toBe(200);
});

test('a range with an outdated If-Range returns the whole file', async () => {
  expect((await get(VIDEO, { range: 'bytes=5-', 'if-range': '"other"' })).status).toBe(200);
  const etag = (await get(VIDEO, {}, 'HEAD')).headers.get('etag') ?? '';
  expect((await get(VIDEO, { range: 'bytes=5-', 'if-range': etag })).status).toBe(206);
});

test.each(['/media/videos/none.mp4', '/media/videos/..%2fscripts.ts', '/media/generated/99999999999/x.mp4'])(
  '%s is not found',
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

test('64 downloads at the same time all complete', async () => {
  const sizes = await Promise.all(
    Array.from(
      { length: 64 },
      async (_, nth) => (await bytesOf(await get(`/media/generated/2000000/${nth}.mp4`))).length,
    ),
  );

  expect(sizes).toEqual(Array(64).fill(2_000_000));
  expect(sandbox.requests.counters().byMount.media).toMatchObject({ requests: 64, bytes: 128_000_000, active: 0 });
});

const faceOf = (url: string | null | undefined) => SCRIPTS.find(({ id }) => url?.endsWith(`/${id}.jpg`))?.look;

test('the ten newest interviews of the demonstration show ten faces', () => {
  const newest = sandbox.control
    .interviews('engineering')
    .toSorted((a, b) => `${b.createdAt}`.localeCompare(`${a.createdAt}`))
    .slice(0, 10);
  const videos = newest.map(({ videoUrl }) => SCRIPTS.find(({ id }) => videoUrl?.includes(`/${id}.`))?.look);
  const faces = newest.map(({ thumbnailUrl }, at) => faceOf(thumbnailUrl) ?? videos[at]);
  expect(new Set(faces).size).toBe(10);
});

test('an interview of several recordings shows one person, who answers its questions', () => {
  const videoask = initialVideoAsk(new Date());
  const interviews = sandbox.control.hireflix.interviews().map(({ thumbnail, questions }) => ({
    thumbnail,
    answers: (questions ?? []).flatMap(({ title, answer }) => (answer ? [{ title, url: answer.url }] : [])),
  }));
  const contacts = videoask.contacts.map(({ contact_id, thumbnail }) => ({
    thumbnail,
    answers: videoask.answers.flatMap((one) => {
      const asked = VIDEOASK_FORM.questions.find(({ question_id }) => question_id === one.question_id);
      return one.contact_id === contact_id && one.media_url
        ? [{ title: asked?.metadata.text, url: one.media_url }]
        : [];
    }),
  }));
  for (const { thumbnail, answers } of [...interviews, ...contacts])
    for (const { title, url } of answers) {
      const script = SCRIPTS.find(({ id }) => url?.endsWith(`/${id}.mp4`));
      expect(script?.answers.map(({ question }) => question)).toEqual([title]);
      expect(script?.look).toBe(faceOf(thumbnail));
    }
});
