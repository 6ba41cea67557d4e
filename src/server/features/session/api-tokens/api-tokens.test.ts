import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { createApiToken, listApiTokens, type NewApiToken, revokeApiToken } from '#contracts/api-tokens.ts';
import { getUser, login } from '#contracts/session.ts';
import { Person, refusal } from '#support/call.ts';
import { API_TOKEN_RATE, announcementsReceived, type SessionApp, startSessionApp } from '#support/session-app.ts';
import { isApiToken, newApiToken } from './token-text.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

async function start() {
  const app = await startSessionApp();
  const admin = app.anonymous();
  await admin.call(login, { body: { username: 'admin', password: 'admin123' } });
  return { app, admin };
}

/** Creates a token for 30 days with the scope read. */
const create = (app: SessionApp, person: Person, part: Partial<z.input<typeof NewApiToken>> = {}) => {
  const expiresAt = new Date(app.clock.now + 30 * DAY_MS).toISOString();
  return person.call(createApiToken, { body: { name: 'Export', scopes: ['read'], expiresAt, ...part } });
};

const program = ({ app }: SessionApp, token: string) => new Person(app, undefined, token);
const statusOf = async (person: Person) => (await person.request({ method: 'GET', url: '/api/user' })).statusCode;

const logged = async (app: SessionApp, action: string) =>
  (await app.db.selectFrom('log_entry').select('summary').where('action', '=', action).orderBy('id').execute()).map(
    ({ summary }) => summary,
  );

describe('creating an API token', () => {
  test('a new token is returned once, opens the API, and is stored as a hash', async () => {
    const { app, admin } = await start();
    const expiresAt = new Date(app.clock.now + 30 * DAY_MS).toISOString();
    const created = await create(app, admin, { scopes: ['logs', 'read', 'read'] });
    const { id, token } = created;
    expect(created).toEqual({ id, name: 'Export', scopes: ['read', 'logs'], expiresAt, token });
    expect(token).toMatch(/^vim_[0-9a-f]{48}$/);
    expect(await program(app, token).call(getUser, {})).toEqual(await admin.call(getUser, {}));

    const stored = await sql<{ text: string }>`SELECT string_agg(to_jsonb(t)::text, '') AS text FROM (
      SELECT to_jsonb(api_token) AS t FROM api_token UNION ALL SELECT to_jsonb(log_entry) FROM log_entry) AS t`.execute(
      app.db,
    );
    expect(stored.rows[0]?.text).toContain(token.slice(0, 12));
    expect(stored.rows[0]?.text).not.toContain(token.slice(0, 13));
    expect(JSON.stringify(await admin.call(listApiTokens, {}))).not.toContain(token.slice(0, 13));
  });

  test('the list shows the newest first, with the first characters and the last use of each token', async () => {
    const { app, admin } = await start();
    await create(app, admin, { name: 'Old' });
    const { id, token, expiresAt } = await create(app, admin);
    const unused = { lastUsedAt: null, lastUsedAddress: null };
    const createdAt = new Date(app.clock.now).toISOString();
    expect(await admin.call(listApiTokens, {})).toEqual([
      { id, name: 'Export', scopes: ['read'], prefix: token.slice(0, 12), expiresAt, createdAt, ...unused },
      expect.objectContaining({ name: 'Old', ...unused }),
    ]);
    app.clock.pass(MINUTE_MS);
    await program(app, token).call(getUser, {});
    const lastUsedAt = new Date(app.clock.now).toISOString();
    expect((await admin.call(listApiTokens, {}))[0]).toMatchObject({ id, lastUsedAt, lastUsedAddress: '127.0.0.1' });
  });

  test.each([
    ['now', 0],
    ['in more than 365 days', 365 * DAY_MS + 1],
  ])('an expiry %s is rejected', async (_, ms) => {
    const { app, admin } = await start();
    const { status, body } = await refusal(
      create(app, admin, { expiresAt: new Date(app.clock.now + ms).toISOString() }),
    );
    expect([status, body]).toMatchObject([
      400,
      { field: 'expiresAt', message: 'expiresAt must be in the future, at most 365 days from now' },
    ]);
  });

  test('an unknown scope is rejected with the allowed ones', async () => {
    const { app, admin } = await start();
    const { status, body } = await refusal(create(app, admin, { scopes: ['read', 'admin' as 'read'] }));
    expect([status, body]).toMatchObject([
      400,
      { field: 'scopes', message: 'scopes must be one or more of read, write, process, logs' },
    ]);
  });

  test('an account has at most 50 tokens', async () => {
    const { app, admin } = await start();
    await sql`INSERT INTO api_token (account_id, name, scopes, token_hash, prefix, expires_at, created_at)
      SELECT (SELECT min(id) FROM account), 'x', '{read}', decode(lpad(n::text, 64, '0'), 'hex'), 'vim_', now(), now()
      FROM generate_series(1, 50) AS n`.execute(app.db);
    const { body } = await refusal(create(app, admin));
    expect(body).toMatchObject({
      code: 'conflict',
      message: 'You have 50 API tokens. Revoke one to create another.',
    });
  });

  test('a reviewer can only create tokens with the scope read', async () => {
    const { app, admin } = await start();
    await app.db.updateTable('account').set({ role: 'reviewer' }).execute();
    app.sessions.evictAccount((await admin.call(getUser, {})).id);
    expect(await create(app, admin)).toMatchObject({ scopes: ['read'] });
    for (const scope of ['write', 'process', 'logs'] as const)
      expect((await refusal(create(app, admin, { scopes: ['read', scope] }))).body).toMatchObject({
        code: 'forbidden',
        message: 'With the role reviewer, an API token can only have the scope read.',
      });
  });
});

describe('a token that is not valid', () => {
  test('expired, revoked, unknown, malformed and disabled tokens get the same 401', async () => {
    const { app, admin } = await start();
    const shortLived = await create(app, admin, { expiresAt: new Date(app.clock.now + DAY_MS).toISOString() });
    const revoked = await create(app, admin);
    await admin.call(revokeApiToken, { params: { id: revoked.id } });
    const { token } = await create(app, admin);
    const changed = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    app.clock.pass(DAY_MS);
    const tokens = [shortLived.token, revoked.token, newApiToken(), changed, token.toUpperCase(), `${token} `, 'x', ''];
    const responses = [];
    for (const text of tokens) responses.push(await program(app, text).request({ method: 'GET', url: '/api/user' }));
    await app.db.updateTable('account').set({ is_disabled: true }).execute();
    responses.push(await program(app, token).request({ method: 'GET', url: '/api/user' }));
    for (const response of responses) {
      expect(response.headers['www-authenticate']).toBe('Bearer realm="api"');
      expect({ status: response.statusCode, ...response.json(), requestId: null }).toEqual({
        status: 401,
        code: 'unauthenticated',
        message: 'This API token is not valid. It may be incomplete, expired or revoked.',
        requestId: null,
      });
    }
  });

  test('an anonymous request gets a challenge that announces tokens', async () => {
    const { app } = await start();
    const response = await app.anonymous().request({ method: 'GET', url: '/api/user' });
    expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, 'Bearer realm="api"']);
  });

  test('a wrong token is rejected although the request has a valid cookie', async () => {
    const { app, admin } = await start();
    const { cookie } = admin;
    expect(await statusOf(new Person(app.app, cookie, newApiToken()))).toBe(401);
    expect(await statusOf(new Person(app.app, cookie, ''))).toBe(401);
    const basic = await admin.request({ method: 'GET', url: '/api/user', headers: { authorization: 'Basic YTpi' } });
    expect(basic.statusCode).toBe(200);
  });

  test('a token after a tab, or without a space, is invalid, and the cookie is ignored', async () => {
    const { admin } = await start();
    for (const authorization of ['Bearer\tx', 'bearer=x', 'BEARER'])
      expect((await admin.request({ method: 'GET', url: '/api/user', headers: { authorization } })).statusCode).toBe(
        401,
      );
  });

  test('a sign-out with a token does not end the session of the cookie that is sent with it', async () => {
    const { app, admin } = await start();
    const { token } = await create(app, admin);
    const both = new Person(app.app, admin.cookie, token);
    expect((await both.request({ method: 'POST', url: '/api/logout' })).statusCode).toBe(200);
    expect(await statusOf(admin)).toBe(200);
  });

  test('a token is not accepted as a cookie or in the URL', async () => {
    const { app, admin } = await start();
    const { token } = await create(app, admin);
    expect(await statusOf(new Person(app.app, `session=${token}`))).toBe(401);
    const url = `/api/user?access_token=${token}`;
    expect((await app.anonymous().request({ method: 'GET', url })).statusCode).toBe(401);
  });

  test('the checksum detects every mistyped digit', () => {
    const token = newApiToken();
    expect(isApiToken(token)).toBe(true);
    for (let at = 4; at < token.length; at += 1) {
      const digit = token[at] === 'a' ? 'b' : 'a';
      expect(isApiToken(token.slice(0, at) + digit + token.slice(at + 1))).toBe(false);
    }
  });
});

describe('using a token', () => {
  test('a token expires even while it is in use', async () => {
    const { app, admin } = await start();
    const { token } = await create(app, admin, { expiresAt: new Date(app.clock.now + 90_000).toISOString() });
    app.clock.pass(89_999);
    expect(await statusOf(program(app, token))).toBe(200);
    app.clock.pass(1);
    expect(await statusOf(program(app, token))).toBe(401);
  });

  test('the last use is stored once a minute, and other requests send no query', async () => {
    const { app, admin } = await start();
    const { token } = await create(app, admin);
    const client = program(app, token);
    const version = async () => (await sql`SELECT xmin::text FROM api_token`.execute(app.db)).rows;
    await client.call(getUser, {});
    const before = await version();
    app.clock.pass(MINUTE_MS - 1);
    await client.call(getUser, {});
    expect(await version()).toEqual(before);
    await app.db.deleteFrom('account').execute();
    expect(await statusOf(client)).toBe(200);
    app.clock.pass(1);
    expect(await statusOf(client)).toBe(401);
  });

  test('two processes together store the last use once a minute', async () => {
    const { app: here, admin } = await start();
    const there = await startSessionApp({ beside: here });
    const { token } = await create(here, admin);
    await program(here, token).call(getUser, {});
    const version = async () => (await sql`SELECT xmin::text FROM api_token`.execute(here.db)).rows;
    const before = await version();
    await program(there, token).call(getUser, {});
    expect(await version()).toEqual(before);
  });

  test('a token that sends too many requests waits, and another one does not', async () => {
    const { app, admin } = await start();
    const [busy, other] = [await create(app, admin), await create(app, admin)];
    for (let sent = 0; sent < API_TOKEN_RATE; sent += 1) expect(await statusOf(program(app, busy.token))).toBe(200);
    const { status, body, headers } = await refusal(program(app, busy.token).call(getUser, {}));
    expect([status, body]).toMatchObject([
      429,
      { message: 'An API token may send 20 requests a minute. Send the next one later.' },
    ]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect([await statusOf(program(app, other.token)), await statusOf(admin)]).toEqual([200, 200]);
  });
});

describe('revoking a token', () => {
  test('revoking a token takes effect immediately in every process, and is logged', async () => {
    const { app: here, admin } = await start();
    const there = await startSessionApp({ beside: here });
    const { id, token } = await create(here, admin, { scopes: ['read', 'logs'] });
    expect(await statusOf(program(here, token))).toBe(200);
    expect(await statusOf(program(there, token))).toBe(200);
    expect(await admin.call(revokeApiToken, { params: { id } })).toEqual({ message: 'API token revoked' });
    expect(await statusOf(program(here, token))).toBe(401);
    await announcementsReceived(there);
    expect(await statusOf(program(there, token))).toBe(401);
    expect(await admin.call(listApiTokens, {})).toEqual([]);
    expect(await logged(here, 'create-api-token')).toEqual(['admin created the API token Export (read, logs).']);
    expect(await logged(here, 'revoke-api-token')).toEqual(['admin revoked the API token Export.']);
  });

  test("revoking another account's token returns 404, except for administrators", async () => {
    const { app, admin } = await start();
    await app.accounts.add({ username: 'ann', password: 'ann password' });
    await app.db.updateTable('account').set({ role: 'recruiter' }).where('username', '=', 'ann').execute();
    const ann = app.anonymous();
    await ann.call(login, { body: { username: 'ann', password: 'ann password' } });
    const [ofAdmin, ofAnn] = [await create(app, admin), await create(app, ann)];
    const bodies = await Promise.all(
      [ofAdmin.id, 4_711].map(async (id) => (await refusal(ann.call(revokeApiToken, { params: { id } }))).body),
    );
    expect(bodies.map((body) => ({ ...body, requestId: null }))).toEqual(
      Array(2).fill({ code: 'not_found', message: 'This API token no longer exists.', requestId: null }),
    );
    expect((await ann.call(listApiTokens, {})).map(({ id }) => id)).toEqual([ofAnn.id]);
    await admin.call(revokeApiToken, { params: { id: ofAnn.id } });
    expect(await statusOf(program(app, ofAnn.token))).toBe(401);
    expect(await logged(app, 'revoke-api-token')).toEqual(['The API token Export of ann was revoked.']);
  });

  test('an expired token stays in the list for 30 days', async () => {
    const { app, admin } = await start();
    await create(app, admin, { expiresAt: new Date(app.clock.now + DAY_MS).toISOString() });
    const count = async () => (await app.db.selectFrom('api_token').select('id').execute()).length;
    app.clock.pass(31 * DAY_MS);
    await app.apiTokens.deleteExpired();
    expect(await count()).toBe(1);
    app.clock.pass(1);
    await app.apiTokens.deleteExpired();
    expect(await count()).toBe(0);
  });
});
