import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { getUser, login, logout } from '#contracts/session.ts';
import { type Attempt, surprises } from '#support/attempts.ts';
import { Person } from '#support/call.ts';
import { startApp } from '#support/start-app.ts';
import { tryUpgrade } from '#support/try-upgrade.ts';

const tokenOf = ({ cookie = '' }: Person) => cookie.split('=')[1] ?? '';
const changed = (token: string, at: number) =>
  token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);

describe('a session cookie', () => {
  test('a session cookie that is forged, changed, shortened, or made from the database is rejected', async () => {
    const product = await startApp({ jobs: false });
    const recruiter = await product.signedIn();
    const token = tokenOf(recruiter);
    const [row] = await product.db.selectFrom('session').select('token_hash').execute();
    const hash = row?.token_hash ?? Buffer.alloc(0);
    const cookies: Record<string, string> = {
      'a token of the right form': `session=${'A'.repeat(43)}`,
      'one with its first letter changed': `session=${changed(token, 0)}`,
      'one with its last letter changed': `session=${changed(token, 41)}`,
      'one that is cut': `session=${token.slice(0, -1)}`,
      'one with something behind it': `session=${token}A`,
      'the hash of the database in hexadecimal': `session=${hash.toString('hex')}`,
      'the hash of the database as a token': `session=${hash.toString('base64url')}`,
      'the id of the account': 'session=1',
      'the name of the account': 'session=admin',
      nothing: 'session=',
      'a list': `session[]=${token}`,
      'the name of a prototype': `__proto__=${token}`,
      'a token in capitals': `session=${token.toUpperCase()}`,
      'the name in capitals': `SESSION=${token}`,
      'the name that belongs to HTTPS': `__Host-session=${token}`,
    };
    const table: Attempt[] = [];
    for (const [attempt, cookie] of Object.entries(cookies)) {
      const { statusCode } = await new Person(product.app, cookie).request({ method: 'GET', url: '/api/user' });
      table.push({ attempt, expected: '401', seen: String(statusCode) });
    }
    expect(surprises(table)).toEqual([]);
    expect(await recruiter.call(getUser, {})).toMatchObject({ username: 'admin' });
  });

  test('a session cookie is not accepted in a URL or another header', async () => {
    const product = await startApp({ jobs: false });
    const token = tokenOf(await product.signedIn());
    const anybody = product.anonymous();
    for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-session': token }] as Record<string, string>[]) {
      expect((await anybody.request({ method: 'GET', url: '/api/user', headers })).statusCode).toBe(401);
    }
    expect((await anybody.request({ method: 'GET', url: `/api/user?session=${token}` })).statusCode).toBe(401);
    expect((await anybody.request({ method: 'GET', url: `/api/user;session=${token}` })).statusCode).toBe(404);
  });

  test('a session cookie that a neighboring host planted is ignored over HTTPS', async () => {
    const product = await startApp({
      jobs: false,
      env: { TRUST_PROXY: 'true', ADMIN_PASSWORD: 'correct horse battery' },
    });
    const attacker = await product.signedIn();
    const headers = { 'x-forwarded-proto': 'https', cookie: `session=${tokenOf(attacker)}` };
    expect((await product.app.inject({ url: '/api/user', headers })).statusCode).toBe(401);
  });

  test('a session cookie that was stolen is invalid once its owner has signed out or in again', async () => {
    const product = await startApp({ jobs: false });
    const owner = await product.signedIn();
    const thief = new Person(product.app, owner.cookie);
    expect((await thief.call(getUser, {})).username).toBe('admin');
    await owner.call(login, { body: { username: 'admin', password: 'admin123' } });
    expect((await thief.request({ method: 'GET', url: '/api/user' })).statusCode).toBe(401);

    const again = new Person(product.app, owner.cookie);
    await owner.call(logout, {});
    expect((await again.request({ method: 'GET', url: '/api/user' })).statusCode).toBe(401);
  });

  test('a session cookie appears in no response and no log entry', async () => {
    const product = await startApp({ jobs: false });
    const recruiter = await product.signedIn();
    const token = tokenOf(recruiter);
    for (const url of ['/api/user', '/api/logs', '/api/docs/json', '/healthz', '/api/none']) {
      const { body, headers } = await recruiter.request({ method: 'GET', url });
      expect([url, body.includes(token), JSON.stringify(headers).includes(token)]).toEqual([url, false, false]);
    }
  });
});

describe('a live socket', () => {
  test('a live socket opens only for our own pages, whatever headers the client sends', async () => {
    const product = await startApp({ jobs: false });
    await product.app.listen({ port: 0, host: '127.0.0.1' });
    const host = `127.0.0.1:${(product.app.server.address() as AddressInfo).port}`;
    const { cookie = '' } = await product.signedIn();
    const own = `http://${host}`;
    const attempts: [string, Record<string, string>, number][] = [
      ['our page', { cookie, origin: own, 'sec-fetch-site': 'same-origin' }, 101],
      ['our page, signed out', { origin: own }, 401],
      ['our page with a forged cookie', { cookie: `session=${'A'.repeat(43)}`, origin: own }, 401],
      ['a program without an origin', { cookie }, 403],
      ['another site', { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
      ['another site in an old browser', { cookie, origin: 'https://evil.example' }, 403],
      ['another port of our host', { cookie, origin: 'http://127.0.0.1:1' }, 403],
      ['our host by another name', { cookie, origin: own.replace('127.0.0.1', 'localhost') }, 403],
      ['a neighboring host', { cookie, origin: own, 'sec-fetch-site': 'same-site' }, 403],
      ['a sandboxed frame', { cookie, origin: 'null' }, 403],
      [
        'a host that only the client forwards',
        { cookie, origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
        403,
      ],
    ];
    const table: Attempt[] = [];
    for (const [attempt, headers, status] of attempts) {
      table.push({ attempt, expected: String(status), seen: String(await tryUpgrade(host, headers)) });
    }
    expect(surprises(table)).toEqual([]);
  });
});
