import { beforeAll, describe, expect, test } from 'vitest';
import { createApiToken, listAccountTokens } from '#contracts/api-tokens.ts';
import { startBulkRun } from '#contracts/bulk.ts';
import { deleteFunnel } from '#contracts/funnels.ts';
import { getInterview, listInterviews, setDestination } from '#contracts/interviews.ts';
import { type Role, SCOPES, type Scope } from '#contracts/rules/roles.ts';
import { getUser } from '#contracts/session.ts';
import { createUpload, listUploads } from '#contracts/uploads.ts';
import { Person, refusal } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { sample } from '#support/make-recording.ts';
import { signedInAs } from '#support/people.ts';
import { startSharedApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

let product: TestApp;
let admin: Person;
let funnelId: number;

beforeAll(async () => {
  const shared = await startSharedApp({
    env: { API_QUOTA: '10000' },
  });
  product = shared.product;
  admin = await product.signedIn();
  funnelId = await product.build.funnel(admin, { source: 'upload' });
  await insertInterviews(product.db, [{ id: 'iv_1', funnelId, title: 'One' }]);
  return shared.clear;
});

/** A program with a token of the person. */
async function programOf(person: Person, scopes: readonly Scope[]): Promise<Person> {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { token } = await person.call(createApiToken, { body: { name: 'Program', scopes: [...scopes], expiresAt } });
  return new Person(product.app, undefined, token);
}

const without = (scope: Scope) => SCOPES.filter((other) => other !== scope);
const forbidden = async (call: Promise<unknown>) => {
  const { status, body } = await refusal(call);
  expect([status, body.code]).toEqual([403, 'forbidden']);
  return body.message;
};

describe('the scope of every route', () => {
  /**
   * Every route for signed-in users: contracts, files, uploads, the documentation and the socket.
   */
  const routes = () =>
    product.app.declaredRoutes
      .filter(({ config }) => config?.role !== 'open')
      .flatMap(({ method, url, config }) =>
        [method].flat().map((name) => ({
          method: name as 'GET',
          url: url.replace('*', 'x').replaceAll(/:\w+/g, '4711'),
          scope: config?.scope ?? null,
        })),
      );

  test('a token without the scope of a route is rejected, and the response names the scope', async () => {
    for (const needed of SCOPES) {
      const program = await programOf(admin, without(needed));
      for (const { method, url, scope } of routes().filter((route) => route.scope === needed)) {
        const response = await program.request({ method, url });
        expect([method, url, response.statusCode]).toEqual([method, url, 403]);
        if (method !== ('HEAD' as string))
          expect(response.json()).toMatchObject({ message: `This API token needs the scope ${scope}.` });
      }
    }
  });

  test('a token with just the scope of a route may call it', async () => {
    for (const needed of SCOPES) {
      const program = await programOf(admin, [needed]);
      for (const { method, url } of routes().filter((route) => route.scope === needed)) {
        const { statusCode } = await program.request({ method, url });
        expect([method, url, [401, 403].includes(statusCode)]).toEqual([method, url, false]);
      }
    }
  });

  test('a token with all scopes reaches no account, password, second factor, device, token or socket', async () => {
    const program = await programOf(admin, SCOPES);
    const closed = routes().filter(({ scope }) => scope === null);
    expect(closed.map(({ method, url }) => `${method} ${url}`)).toEqual(
      expect.arrayContaining([
        ...['GET /api/tokens', 'POST /api/tokens', 'DELETE /api/tokens/4711', 'GET /api/accounts/4711/tokens'],
        ...['GET /api/accounts', 'POST /api/user/password', 'POST /api/user/second-factor/off', 'GET /ws'],
        ...['GET /api/user/devices', 'POST /api/logout/everywhere'],
      ]),
    );
    for (const { method, url } of closed) {
      const response = await program.request({ method, url });
      expect([method, url, response.statusCode]).toEqual([method, url, 403]);
      if (method !== ('HEAD' as string))
        expect(response.json().message).toBe('API tokens cannot be used for this. Sign in instead.');
    }
  });
});

describe('the rights of the account', () => {
  test('a token never exceeds the role of its account, even if the role is lowered later', async () => {
    const recruiter = await signedInAs(product, { role: 'recruiter' });
    const program = await programOf(recruiter, SCOPES);
    const link = () => program.call(setDestination, { params: { id: 'iv_1' }, body: { destinationId: 'BUB-ACME-1' } });
    await link();
    expect(await forbidden(program.call(deleteFunnel, { params: { id: 4_711 } }))).toBe(
      'This needs the role administrator.',
    );
    const { id } = await recruiter.call(getUser, {});
    await admin.request({ method: 'PUT', url: `/api/accounts/${id}`, body: { role: 'reviewer' satisfies Role } });
    expect(await forbidden(link())).toBe('This needs the role recruiter.');
    expect(await program.call(getUser, {})).toMatchObject({ id, role: 'reviewer' });
  });

  test('a token sees the funnels that its account sees', async () => {
    const reviewer = await signedInAs(product, { role: 'reviewer', funnelIds: [] });
    const program = await programOf(reviewer, ['read']);
    expect(await program.call(listInterviews, { query: {} })).toMatchObject({ total: 0 });
    expect((await refusal(program.call(getInterview, { params: { id: 'iv_1' } }))).status).toBe(404);
  });

  test('disabling an account blocks its tokens immediately, and enabling it restores them', async () => {
    const recruiter = await signedInAs(product, { role: 'recruiter' });
    const program = await programOf(recruiter, ['read']);
    const { id } = await program.call(getUser, {});
    const disable = (isDisabled: boolean) =>
      admin.request({ method: 'PUT', url: `/api/accounts/${id}`, body: { isDisabled } });
    await disable(true);
    expect((await refusal(program.call(getUser, {}))).status).toBe(401);
    await disable(false);
    expect(await program.call(getUser, {})).toMatchObject({ id });
  });

  test('administrators see the tokens of every account, and others do not', async () => {
    const recruiter = await signedInAs(product, { role: 'recruiter' });
    await programOf(recruiter, ['read', 'process']);
    const { id } = await recruiter.call(getUser, {});
    const tokens = await admin.call(listAccountTokens, { params: { id } });
    expect(tokens).toMatchObject([{ name: 'Program', scopes: ['read', 'process'] }]);
    await forbidden(recruiter.call(listAccountTokens, { params: { id } }));
  });
});

describe('requests with a token', () => {
  test('a token needs no origin, and its cookies change nothing', async () => {
    const reviewer = await signedInAs(product, { role: 'reviewer' });
    const { token } = await admin.call(createApiToken, {
      body: { name: 'Page', scopes: ['write'], expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
    });
    const both = new Person(product.app, reviewer.cookie, token);
    const request = {
      method: 'POST',
      url: '/api/interviews/iv_1/destination',
      body: { destinationId: 'BUB-ACME-2' },
      headers: { origin: 'https://intranet.example', 'sec-fetch-site': 'cross-site' },
    } as const;
    expect((await both.request(request)).statusCode).toBe(200);
    expect((await admin.request(request)).statusCode).toBe(403);
  });

  test('the origin of sign-ins and sign-outs is checked even with a token', async () => {
    const program = await programOf(admin, ['read']);
    for (const url of ['/api/login', '/api/logout'])
      expect(
        (await program.request({ method: 'POST', url, body: {}, headers: { origin: 'https://evil.example' } })).json(),
      ).toMatchObject({ code: 'foreign_origin' });
  });

  test('a bulk run needs process, plus write to archive or set destinations', async () => {
    const target = { ids: ['iv_1'] };
    const run = (program: Person, action: 'archive' | 'setDestination' | 'convert') =>
      program.call(startBulkRun, { body: { action, target, destinationId: 'BUB-ACME-1' } });
    const processing = await programOf(admin, ['process']);
    const writing = await programOf(admin, ['write']);
    for (const action of ['archive', 'setDestination'] as const) {
      expect(await forbidden(run(processing, action))).toBe('This API token needs the scope write.');
      expect(await forbidden(run(writing, action))).toBe('This API token needs the scope process.');
    }
    expect(await forbidden(run(writing, 'convert'))).toBe('This API token needs the scope process.');
    expect(await run(processing, 'convert')).toMatchObject({ total: 1 });
    expect(await run(await programOf(admin, ['process', 'write']), 'setDestination')).toMatchObject({ total: 1 });
  });

  test('a program uploads a recording in pieces', async () => {
    const program = await programOf(admin, ['write']);
    const mp4 = await sample('eng-microphone-off.mp4');
    const { id } = await program.call(createUpload, {
      body: {
        ...{ funnelId, fileName: 'dana.mp4', size: mp4.length, modifiedAt: '2026-11-20T08:00:00Z' },
        candidateName: 'Dana Moore',
      },
    });
    const half = Math.floor(mp4.length / 2);
    const url = `/api/uploads/${id}/content`;
    for (const [from, to] of [
      [0, half],
      [half, mp4.length],
    ]) {
      const headers = { 'tus-resumable': '1.0.0', 'upload-offset': String(from) };
      expect((await program.request({ method: 'HEAD', url, headers })).headers['upload-offset']).toBe(String(from));
      const type = { 'content-type': 'application/offset+octet-stream' };
      const body = mp4.subarray(from, to);
      expect((await program.request({ method: 'PATCH', url, headers: { ...headers, ...type }, body })).statusCode).toBe(
        204,
      );
    }
    await until('the upload is checked', async () => {
      const [upload] = await program.call(listUploads, {});
      return upload?.state === 'done';
    });
  });
});
