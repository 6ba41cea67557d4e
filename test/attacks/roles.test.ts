import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { acceptInvitation, deleteAccount, getInvitation, updateAccount } from '#contracts/accounts.ts';
import { API } from '#contracts/api.ts';
import { getUser } from '#contracts/session.ts';
import { requestTo } from '#support/access-requests.ts';
import { type AccessStage, openAccessWorld, type WorldOptions } from '#support/access-world.ts';
import { type Attempt, surprises } from '#support/attempts.ts';
import { Person, type RawRequest, refusal } from '#support/call.ts';
import { signedInAs } from '#support/people.ts';
import { startApp, startSharedApp } from '#support/start-app.ts';
import { tryUpgrade } from '#support/try-upgrade.ts';
import { until } from '#support/until.ts';

const PASSWORD = 'correct horse battery';

let stage: AccessStage;
beforeAll(async () => {
  const { product, clear } = await startSharedApp({
    env: { ROLES: 'web' },
    isAlone: false,
  });
  stage = { product, admin: await product.signedIn(), imageUrl: '' };
  return clear;
});

const limited = (role: WorldOptions['role']): WorldOptions => ({
  ...{ role, allFunnels: false, active: 'own', refresh: null, source: 'rest', uploads: 'duplicate' },
});

/** The rights of all accounts but the first, as they are stored. */
const rights = () =>
  stage.product.db
    .selectFrom('account')
    .leftJoin('account_funnel', 'account_id', 'id')
    .select(['username', 'role', 'all_funnels', 'funnel_id', 'is_disabled'])
    .where('username', '!=', 'admin')
    .orderBy('username')
    .execute();

describe('a raised role', () => {
  const RAISED = { role: 'administrator', allFunnels: true, funnelIds: [2_002], isDisabled: false, scopes: null };
  const QUERY = 'role=administrator&allFunnels=true&funnelIds=2002';
  const HEADERS = { 'x-role': 'administrator', 'x-http-method-override': 'PUT', 'x-original-url': '/api/accounts' };

  test.each(['reviewer', 'recruiter'] as const)(
    'no request of a %s raises rights, whatever its body, query and headers name',
    async (role) => {
      const changing = API.filter(({ method, path }) => method !== 'GET' && !path.startsWith('/api/log'));
      expect(changing.length).toBeGreaterThan(40);
      for (const { method, path } of changing) {
        const world = await openAccessWorld(stage, limited(role));
        const before = await rights();
        const request = requestTo(`${method} ${path}`, world.own, world);
        await world.caller.request({
          ...request,
          url: `${request.url}?${QUERY}`,
          headers: { ...request.headers, ...HEADERS },
          body: { ...(request.body as object | undefined), ...RAISED },
        });
        expect([path, await rights()]).toEqual([path, before]);
      }
    },
  );

  test('an invited person keeps the role of the invitation, whatever fields the acceptance sends', async () => {
    const { invitationToken } = await openAccessWorld(stage, limited('recruiter'));
    const before = await rights();
    const url = `/api/invitations/${invitationToken}`;
    const body = { newPassword: PASSWORD, username: 'admin', ...RAISED };
    const response = await stage.product.anonymous().request({ method: 'POST', url: `${url}?${QUERY}`, body });
    expect(response.statusCode).toBe(200);
    expect(await rights()).toEqual(before);
    const colleague = await stage.product.signedIn('colleague', PASSWORD);
    expect(await colleague.call(getUser, {})).toMatchObject({ username: 'colleague', role: 'reviewer' });
    expect((await colleague.request({ method: 'GET', url: '/api/accounts' })).statusCode).toBe(403);
  });

  test("no spelling of an account's path bypasses the required role", async () => {
    const { colleagueId, caller } = await openAccessWorld(stage, limited('recruiter'));
    const before = await rights();
    for (const id of [`${colleagueId}`, `${colleagueId}%2F`, `0${colleagueId}`, `${colleagueId}.`, 'me', '-1'])
      for (const method of ['PUT', 'DELETE'] as const)
        expect((await caller.request({ method, url: `/api/accounts/${id}`, body: RAISED })).statusCode).not.toBe(200);
    expect(await rights()).toEqual(before);
  });
});

describe('a session kept after its account was disabled or deleted', () => {
  const doors = (): RawRequest[] => [
    { method: 'GET', url: '/api/user' },
    { method: 'HEAD', url: '/api/interviews' },
    { method: 'GET', url: '/api/interviews/own-interview' },
    { method: 'GET', url: '/api/interviews/own-interview/transcript.vtt' },
    { method: 'GET', url: '/api/files/video/own.mp4', headers: { range: 'bytes=0-1' } },
    { method: 'HEAD', url: '/api/files/thumbnail/own.jpg' },
    { method: 'HEAD', url: '/api/uploads/own-upload/content', headers: { 'tus-resumable': '1.0.0' } },
    { method: 'GET', url: '/api/docs/json' },
    { method: 'GET', url: '/api/interviews/sync' },
    { method: 'POST', url: '/api/interviews/own-interview/archive' },
    { method: 'POST', url: '/api/user/password', body: { currentPassword: 'admin123', newPassword: PASSWORD } },
    { method: 'POST', url: '/api/logout/everywhere' },
  ];

  test.each(['disabled', 'deleted'] as const)(
    'stops working in every process within two seconds, including sockets, once its account is %s',
    async (how) => {
      const { product, admin } = stage;
      const second = await startApp({
        ...{ env: { ...product.environment, ROLES: 'web' }, database: product.database },
        ...{ dataDir: product.dataDir, isAlone: false },
      });
      const { caller } = await openAccessWorld(stage, limited('recruiter'));
      const there = new Person(second.app, caller.cookie);
      await second.app.listen({ port: 0, host: '127.0.0.1' });
      const host = `127.0.0.1:${(second.app.server.address() as AddressInfo).port}`;
      const headers = { origin: `http://${host}`, cookie: caller.cookie ?? '' };
      expect(await tryUpgrade(host, headers)).toBe(101);
      const { id } = await there.call(getUser, {});
      const socket = new WebSocket(`ws://${host}/ws`, { headers });
      await once(socket, 'open');
      const closed = once(socket, 'close');

      if (how === 'disabled') await admin.call(updateAccount, { params: { id }, body: { isDisabled: true } });
      else await admin.call(deleteAccount, { params: { id } });
      const isRefused = async () => (await there.request({ method: 'GET', url: '/api/user' })).statusCode === 401;
      await until('the other process refuses it', isRefused, 2_000);
      const table: Attempt[] = [];
      for (const person of [caller, there])
        for (const request of doors()) {
          const { statusCode } = await person.request(request);
          table.push({ attempt: `${request.method} ${request.url}`, expected: '401', seen: String(statusCode) });
        }
      expect(surprises(table)).toEqual([]);
      expect(await tryUpgrade(host, headers)).toBe(401);
      await closed;
    },
  );
});

describe('an invitation', () => {
  const opening = (token: string): RawRequest[] => [
    ...(['GET', 'HEAD'] as const).flatMap((method) => [
      { method, url: `/api/invitations/${token}` },
      { method, url: `/invitation/${token}` },
      { method, url: `/api/invitations/${token}?newPassword=${PASSWORD}` },
      { method, url: `/api/invitations/${token}`, headers: { 'sec-purpose': 'prefetch;prerender' } },
    ]),
    { method: 'POST', url: `/api/invitations/${token}` },
    { method: 'POST', url: `/api/invitations/${token}`, body: {} },
    { method: 'POST', url: `/api/invitations/${token}`, body: { newPassword: PASSWORD }, headers: FOREIGN },
    { method: 'PUT', url: `/api/invitations/${token}`, body: { newPassword: PASSWORD } },
    { method: 'DELETE', url: `/api/invitations/${token}` },
  ];
  const FOREIGN = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };

  test('is still valid after scanners and other sites have opened it in every way', async () => {
    const { product } = stage;
    const { invitationToken: token } = await openAccessWorld(stage, limited('recruiter'));
    const before = await product.db.selectFrom('invitation').selectAll().execute();
    for (const request of opening(token)) await product.anonymous().request(request);
    expect(await product.db.selectFrom('invitation').selectAll().execute()).toEqual(before);
    const params = { token };
    expect(await product.anonymous().call(getInvitation, { params })).toEqual({ username: 'colleague' });
    await product.anonymous().call(acceptInvitation, { params, body: { newPassword: PASSWORD } });
    await product.signedIn('colleague', PASSWORD);
  });

  test.each(['deleted', 'disabled', 'disabled and enabled again'])(
    'of an account that was %s is rejected like an unknown one',
    async (how) => {
      const { product, admin } = stage;
      const { invitationToken, colleagueId: id } = await openAccessWorld(stage, limited('recruiter'));
      const change = (isDisabled: boolean) => admin.call(updateAccount, { params: { id }, body: { isDisabled } });
      if (how === 'deleted') await admin.call(deleteAccount, { params: { id } });
      else await change(true);
      if (how.endsWith('again')) await change(false);
      const bodies = [];
      for (const token of [invitationToken, 'unknown']) {
        const body = { newPassword: PASSWORD };
        const accepted = await refusal(product.anonymous().call(acceptInvitation, { params: { token }, body }));
        const opened = await refusal(product.anonymous().call(getInvitation, { params: { token } }));
        for (const { status, body } of [accepted, opened]) bodies.push({ status, ...body, requestId: null });
      }
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
      expect(bodies[0]).toMatchObject({ status: 404, code: 'not_found' });
    },
  );

  test('does not sign in, and does not touch the session of the browser that opens it', async () => {
    const { product } = stage;
    const { invitationToken: token } = await openAccessWorld(stage, limited('recruiter'));
    const other = await signedInAs(product, { role: 'reviewer' });
    const before = other.cookie;
    await other.call(acceptInvitation, { params: { token }, body: { newPassword: PASSWORD } });
    expect(other.cookie).toBe(before);
    expect(await other.call(getUser, {})).toMatchObject({
      role: 'reviewer',
      username: expect.stringMatching(/^reviewer-/),
    });
  });
});
