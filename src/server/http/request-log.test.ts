import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { aSignedIn } from '#support/a-signed-in.ts';
import { until } from '#support/until.ts';
import { type AppOptions, buildApp } from './app.ts';
import { Overload } from './guards/overload.ts';

const SIGNED_IN = { config: { role: 'reviewer', scope: null } } as const;

/** An application with two routes, and its log lines. */
async function logged(options: Partial<AppOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const out = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const sessions = { findSession: () => ({ signedIn: aSignedIn({ username: 'dana' }) }) };
  const app = await buildApp({ log: createLog('debug', out), trustProxy: false, sessions, ...options });
  app.get('/things/:id', SIGNED_IN, async () => ({ fine: true }));
  app.get('/broken', SIGNED_IN, async () => {
    throw new Error('it broke');
  });
  const line = (route: string) =>
    until(`a line of ${route}`, () => lines.find((entry) => entry.msg === 'request done' && entry.route === route));
  return { app, lines, line };
}

describe('every request', () => {
  test('every request logs one line with route, status, duration and id, and without the requested values', async () => {
    const { app, line, lines } = await logged();
    const response = await app.inject('/things/somebody@example.com?search=secret');
    expect(await line('/things/:id')).toMatchObject({
      level: 30,
      method: 'GET',
      status: 200,
      ms: expect.any(Number),
      requestId: response.headers['x-request-id'],
    });
    expect(JSON.stringify(lines)).not.toMatch(/somebody|secret/);
  });

  test('every request logs the account and the address in every line, and no name', async () => {
    const { app, line, lines } = await logged({ trustProxy: true });
    await app.inject({ url: '/broken', headers: { 'x-forwarded-for': '203.0.113.5' } });
    await line('/broken');
    const known = lines.filter(({ requestId }) => requestId);
    expect(known.map(({ msg }) => msg)).toEqual(['request failed', 'request done']);
    for (const entry of known) expect(entry).toMatchObject({ account: 1, address: '203.0.113.5' });
    expect(JSON.stringify(lines)).not.toContain('dana');
  });

  test('every request that failed has the same id in its response, its header and every log line', async () => {
    const { app, line, lines } = await logged();
    const response = await app.inject('/broken');
    const id = response.json().requestId;
    expect(response.headers['x-request-id']).toBe(id);
    expect(await line('/broken')).toMatchObject({ level: 50, status: 500, requestId: id });
    expect(lines.find(({ msg }) => msg === 'request failed')).toMatchObject({
      requestId: id,
      err: { message: 'it broke' },
    });
  });

  test('every request has an id of the server, and a valid id of the client in another field', async () => {
    for (const trustProxy of [false, true]) {
      const { app, line } = await logged({ trustProxy });
      const response = await app.inject({ url: '/broken', headers: { 'x-request-id': 'edge-7f3a:0001' } });
      expect(response.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
      expect(await line('/broken')).toMatchObject({
        requestId: response.headers['x-request-id'],
        clientRequestId: 'edge-7f3a:0001',
      });
    }
    for (const wrong of ['short', 'a b c d e f g', '"}{"', 'x'.repeat(200)]) {
      const { app, line } = await logged({ trustProxy: true });
      await app.inject({ url: '/things/1', headers: { 'x-request-id': wrong } });
      expect(await line('/things/:id')).not.toHaveProperty('clientRequestId');
    }
  });
});

describe('under overload', () => {
  test('API calls are rejected with Retry-After, and pages and health checks are served', async () => {
    let waiting = 101;
    const overload = new Overload({ waitingQueries: () => waiting, maxWaiting: 100 });
    const { app } = await logged({ guardOverload: overload.guard });
    app.get('/api/things', SIGNED_IN, async () => ({ fine: true }));
    app.get('/healthz', { config: { role: 'open', scope: null } }, async () => ({ fine: true }));
    const refused = await app.inject('/api/things');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
    expect(refused.json()).toMatchObject({ code: 'unavailable', message: expect.stringContaining('busy') });
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    waiting = 100;
    expect((await app.inject('/api/things')).statusCode).toBe(200);
    overload.close();
  });
});
