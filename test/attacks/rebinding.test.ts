import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { getLoginHint, login } from '#contracts/session.ts';
import { type Attempt, surprises } from '#support/attempts.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { tryUpgrade } from '#support/try-upgrade.ts';

const DEFAULTS = { username: 'admin', password: 'admin123' };
/**
 * The name is served, but where others can reach the product the default password opens nothing.
 */
const DEFAULTS_REFUSED = '401 and no session';
const TOKEN = 'a token of the monitors';
const EVIL = 'evil.example:5000';

/** The headers of a page that was loaded under this name, so that requests are same-origin. */
const sameOriginHeaders = (host: string) => ({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' });
const signIn = ({ app }: TestApp, headers: Record<string, string>) =>
  app.inject({ method: 'POST', url: login.path, payload: DEFAULTS, headers });

async function attemptsOf(product: TestApp, hosts: readonly string[], expected: string): Promise<Attempt[]> {
  const table: Attempt[] = [];
  for (const host of hosts) {
    const { statusCode, headers } = await signIn(product, sameOriginHeaders(host));
    const seen = `${statusCode} ${headers['set-cookie'] === undefined ? 'and no session' : 'and a session'}`;
    table.push({ attempt: host, expected, seen });
  }
  return table;
}

describe('a site that resolves its own name to this machine', () => {
  test('a site that resolves its own name to this machine cannot sign in with the default credentials under any name', async () => {
    const product = await startApp({ jobs: false });
    expect(await product.anonymous().call(getLoginHint, {})).toMatchObject({ defaultCredentials: DEFAULTS });
    const hosts = [
      EVIL,
      'evil.example',
      'localhost.evil.example:5000',
      '127.0.0.1.evil.example:5000',
      '127.0.0.1.nip.io',
      'evillocalhost',
      'localhost:5000.evil.example',
      'localhost@evil.example',
      'evil.example#localhost',
      'evil.example/127.0.0.1',
      'evil.example, localhost',
      '[::1].evil.example',
      'local',
      'interviews.local',
      '192.168.1.5:5000',
      '0.0.0.0:5000',
      '[::]:5000',
      '128.0.0.1',
      '[fe80::1]',
      '.',
    ];
    expect(surprises(await attemptsOf(product, hosts, '421 and no session'))).toEqual([]);
  });

  test('a site that resolves its own name to this machine reads nothing and opens no socket', async () => {
    const product = await startApp({ jobs: false });
    await product.app.listen({ port: 0, host: '127.0.0.1' });
    const own = `127.0.0.1:${(product.app.server.address() as AddressInfo).port}`;
    const { cookie = '' } = await product.signedIn();
    const table: Attempt[] = [];
    for (const url of ['/', '/login', getLoginHint.path, '/api/user', '/api/docs', '/nowhere']) {
      const { statusCode } = await product.app.inject({ url, headers: { ...sameOriginHeaders(EVIL), cookie } });
      table.push({ attempt: url, expected: '421', seen: String(statusCode) });
    }
    const socket = await tryUpgrade(own, { ...sameOriginHeaders(EVIL), cookie });
    table.push({ attempt: 'a socket', expected: '421', seen: String(socket) });
    expect(surprises(table)).toEqual([]);
    expect(await tryUpgrade(own, { ...sameOriginHeaders(own), cookie })).toBe(101);
  });
});

describe('the names of this machine', () => {
  test('the names of this machine are all accepted', async () => {
    const product = await startApp({ jobs: false });
    const hosts = [
      'localhost',
      'LocalHost:5000',
      'localhost.',
      'interviews.localhost:5000',
      '127.0.0.1:5000',
      '127.1.2.3',
      '[::1]:5000',
      '[::ffff:7f00:1]',
    ];
    expect(surprises(await attemptsOf(product, hosts, '200 and a session'))).toEqual([]);
  });

  test('the names of this machine are not required when other machines can reach the product', async () => {
    for (const env of [{ TRUST_PROXY: 'true' }, { HOST: '0.0.0.0' }, { HOST: 'interviews.example' }])
      expect(surprises(await attemptsOf(await startApp({ jobs: false, env }), [EVIL], DEFAULTS_REFUSED))).toEqual([]);
  });
});

describe('with PUBLIC_URL', () => {
  const env = { TRUST_PROXY: 'true', PUBLIC_URL: 'https://interviews.example.com, http://Intern.example:8080/x' };

  test('only its own names and names of this machine are served', async () => {
    const product = await startApp({ jobs: false, env });
    const served = [
      'interviews.example.com',
      'INTERVIEWS.example.com:443',
      'interviews.example.com.',
      'intern.example',
      'localhost:5000',
    ];
    const refused = [
      EVIL,
      'example.com',
      'interviews.example.com.evil.example',
      'a.interviews.example.com',
      'interviews.example.com@evil.example',
      '192.168.1.5',
      'evil.example, interviews.example.com',
    ];
    expect(surprises(await attemptsOf(product, served, DEFAULTS_REFUSED))).toEqual([]);
    expect(surprises(await attemptsOf(product, refused, '421 and no session'))).toEqual([]);
    const response = await signIn(product, { host: EVIL });
    expect(response.json()).toMatchObject({ code: 'foreign_host', message: expect.stringContaining('PUBLIC_URL') });
  });

  test('monitors reach a process by its address, and read nothing about people', async () => {
    const product = await startApp({ env: { ...env, METRICS_TOKEN: TOKEN } });
    const scrape = (url: string, token: string) =>
      product.app.inject({ url, headers: { host: '10.42.0.7:5000', authorization: `Bearer ${token}` } });
    for (const url of ['/livez', '/readyz', '/healthz', '/metrics'])
      expect([url, (await scrape(url, TOKEN)).statusCode]).toEqual([url, 200]);
    expect((await scrape('/metrics', 'guessed')).statusCode).toBe(401);
    expect((await scrape('/', TOKEN)).statusCode).toBe(421);
  });

  test('the name that the proxy forwards counts', async () => {
    const product = await startApp({ jobs: false, env });
    const forwarded = async (name: string) =>
      (await signIn(product, { host: 'backend:5000', 'x-forwarded-host': name })).statusCode;
    expect([await forwarded('interviews.example.com'), await forwarded('evil.example')]).toEqual([401, 421]);
  });
});

test('an unconfigured proxy on this machine gets a message with the variables to set', async () => {
  const product = await startApp({ jobs: false });
  const response = await signIn(product, { host: 'interviews.example', 'x-forwarded-host': 'interviews.example' });
  expect(response.json()).toEqual({
    code: 'foreign_host',
    message:
      'This server only accepts requests from this computer. Behind a proxy, set TRUST_PROXY=true; to allow other computers, set HOST.',
    requestId: expect.any(String),
  });
});
