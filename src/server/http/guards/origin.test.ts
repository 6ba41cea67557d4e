import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildApp } from '#server/http/app.ts';
import { aSignedIn } from '#support/a-signed-in.ts';

/** A change, a read and a GET with side effects behind the guard. */
async function guarded(trustProxy = false, log = pino({ level: 'silent' }), publicUrls: URL[] = []) {
  const sessions = { findSession: () => ({ signedIn: aSignedIn({ username: 'recruiter' }) }) };
  const app = await buildApp({ log, trustProxy, sessions, publicUrls });
  onTestFinished(() => app.close());
  const config = { role: 'reviewer', scope: null } as const;
  app.post('/change', { config }, () => ({}));
  app.get('/read', { config }, () => ({}));
  app.get('/start', { config: { ...config, changesState: true } }, () => ({}));
  const ask = (method: 'GET' | 'POST', url: string) => async (headers: Record<string, string>) =>
    (await app.inject({ method, url, headers: { host: 'interviews.example:5000', ...headers } })).statusCode;
  return { change: ask('POST', '/change'), read: ask('GET', '/read'), start: ask('GET', '/start') };
}

const OWN = 'http://interviews.example:5000';

describe('a change', () => {
  test.each([
    ['a program without an origin', {}, 200],
    ['our own page', { origin: OWN, 'sec-fetch-site': 'same-origin' }, 200],
    ['our own page in an old browser', { origin: OWN }, 200],
    ['our own page, the host in capitals', { origin: OWN, host: 'INTERVIEWS.example:5000' }, 200],
    ['our own page over HTTPS, behind an unknown proxy', { origin: OWN.replace('http', 'https') }, 200],
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    ['another site in an old browser', { origin: 'https://evil.example' }, 403],
    ['another site whose origin is withheld', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a neighboring host', { origin: 'http://other.example:5000', 'sec-fetch-site': 'same-site' }, 403],
    ['a host below ours', { origin: 'http://evil.interviews.example:5000' }, 403],
    ['a host that ends like ours', { origin: 'http://evilinterviews.example:5000' }, 403],
    ['a host that begins like ours', { origin: 'http://interviews.example.evil.example:5000' }, 403],
    ['our host in the name part of another', { origin: 'http://interviews.example:5000@evil.example' }, 403],
    ['another port of our host', { origin: 'http://interviews.example:8080', 'sec-fetch-site': 'same-site' }, 403],
    ['our host without its port', { origin: 'http://interviews.example' }, 403],
    ['a sandboxed frame or a file', { origin: 'null' }, 403],
    ['an invalid origin', { origin: 'interviews.example:5000' }, 403],
    ['our host by another protocol', { origin: OWN.replace('http', 'ftp') }, 403],
    ['two origins at once', { origin: `${OWN}, https://evil.example` }, 403],
    ['the address bar', { 'sec-fetch-site': 'none' }, 403],
    ['our origin with Sec-Fetch-Site of another site', { origin: OWN, 'sec-fetch-site': 'cross-site' }, 403],
    ['an unknown value of Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin, cross-site' }, 403],
    ['a prefetched page', { origin: OWN, 'sec-purpose': 'prefetch;prerender' }, 403],
    ['a forwarded host, without a proxy', { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }, 403],
  ])('a change from %s (%j) gets %i', async (_, headers, status) => {
    const { change, start } = await guarded();
    expect([await change(headers), await start(headers)]).toEqual([status, status]);
  });

  test.each([
    ['the forwarded host', { origin: 'https://jobs.example' }, 200],
    ['a page of that host over HTTP', { origin: 'http://jobs.example' }, 403],
    ['the internal host behind the proxy', { origin: OWN }, 403],
    ['another site', { origin: 'https://evil.example' }, 403],
    [
      'a host that the client put before the host of the proxy',
      { origin: 'https://a', 'x-forwarded-host': 'a, b' },
      403,
    ],
  ])('behind a proxy, a change from %s (%j) gets %i', async (_, headers, status) => {
    const { change } = await guarded(true);
    const forwarded = { 'x-forwarded-host': 'jobs.example', 'x-forwarded-proto': 'https' };
    expect(await change({ ...forwarded, ...headers })).toBe(status);
  });
});

describe('a GET with side effects, without Fetch Metadata', () => {
  test.each([
    ['a link', { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'upgrade-insecure-requests': '1' }, 403],
    ['a link without Upgrade-Insecure-Requests', { accept: 'text/html,*/*' }, 403],
    ['a link that accepts anything', { 'upgrade-insecure-requests': '1' }, 403],
    ['an element of another site', { accept: 'image/avif,*/*', referer: 'http://evil.example/page' }, 403],
    ['another port of our host', { referer: 'http://interviews.example:8080/' }, 403],
    ['an invalid referrer', { referer: 'about:blank' }, 403],
    ['our own page', { accept: 'application/json', referer: `${OWN}/funnels` }, 200],
    ['our own page, which sends no referrer', { accept: 'application/json' }, 200],
    ['a program', { accept: '*/*' }, 200],
  ])('a GET with side effects from %s (%j) gets %i', async (_, headers, status) => {
    const { start, read } = await guarded();
    expect([await start(headers), await read(headers)]).toEqual([status, 200]);
  });
});

test('a page at an address of PUBLIC_URL is ours if the proxy forwards the host without its port', async () => {
  const publicUrl = new URL('https://interviews.example:8443/x');
  const { change } = await guarded(true, pino({ level: 'silent' }), [publicUrl]);
  const forwarded = { host: 'interviews.example', 'x-forwarded-proto': 'https' };
  expect(await change({ ...forwarded, origin: publicUrl.origin, 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await change({ ...forwarded, origin: publicUrl.origin, 'sec-fetch-site': 'same-site' })).toBe(403);
  expect(await change({ ...forwarded, origin: 'https://interviews.example:9443' })).toBe(403);
});

test('a refused change is logged with its address and the two values that differ', async () => {
  const lines: string[] = [];
  const { change } = await guarded(true, pino({ level: 'warn' }, { write: (line) => void lines.push(line) }));
  await change({ origin: 'https://evil.example', 'x-forwarded-for': '203.0.113.5', cookie: 'session=secret' });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      ...{ code: 'foreign_origin', route: '/change', address: '203.0.113.5' },
      ...{ origin: 'https://evil.example', expected: 'http://interviews.example:5000' },
    },
  ]);
  expect(lines.join()).not.toContain('secret');
});

test('reading is allowed from any site, so links from elsewhere work', async () => {
  const { read } = await guarded();
  expect(await read({ 'sec-fetch-site': 'cross-site' })).toBe(200);
});
