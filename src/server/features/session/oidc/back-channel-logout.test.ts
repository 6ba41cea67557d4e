import { expect, test } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { getUser } from '#contracts/session.ts';
import type { Claims, SigningOptions } from '#sandbox/identity/signed-tokens.ts';
import { signOnVariables } from '#sandbox/product-variables.ts';
import { type Attempt, surprises } from '#support/attempts.ts';
import { type SignOnProduct, startWithSignOn } from '#support/single-sign-on.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';

const sandbox = await sandboxOfFile();
const start = () => startWithSignOn(sandbox, signOnVariables(sandbox));
const tokenFor = (claims: Claims, options?: SigningOptions) => sandbox.identity.logoutToken(claims, options);

const send = ({ product }: SignOnProduct, token: string, contentType = 'application/x-www-form-urlencoded') =>
  product.app.inject({
    method: 'POST',
    url: '/api/login/oidc/back-channel',
    headers: { 'content-type': contentType },
    payload: String(new URLSearchParams({ logout_token: token })),
  });

test('the provider ends all sessions of a person, and no others', async () => {
  const started = await start();
  const [first, second, other] = [started.browser(), started.browser(), started.browser()];
  await first.signIn('alex');
  await second.signIn('alex');
  await other.signIn('riley');
  expect((await send(started, await tokenFor({ sub: 'person-alex' }))).statusCode).toBe(200);
  for (const page of [first, second]) expect((await page.request('/api/user')).statusCode).toBe(401);
  expect(await other.person.call(getUser, {})).toMatchObject({ username: 'riley' });
  expect(await started.admin.call(getUser, {})).toMatchObject({ username: 'admin' });
  expect((await started.entries('sign-out'))[0]).toMatchObject({
    summary: 'alex was signed out by the provider of single sign-on.',
    metadata: { sessions: 2 },
  });
});

test('with the id of a session, the provider ends that one', async () => {
  const started = await start();
  const [first, second] = [started.browser(), started.browser()];
  await first.signIn('alex');
  await second.signIn('alex');
  const rows = await started.product.db.selectFrom('session').select('provider_session').orderBy('id').execute();
  const [sid] = rows.flatMap((row) => row.provider_session ?? []);
  expect(sid).toBeDefined();
  await send(started, await tokenFor({ sid }));
  expect((await first.request('/api/user')).statusCode).toBe(401);
  expect((await second.request('/api/user')).statusCode).toBe(200);
});

test('logout tokens that are not valid, or were used before, are rejected and logged, and end nothing', async () => {
  const started = await start();
  const page = started.browser();
  await page.signIn('alex');
  const sub = 'person-alex';
  const now = Math.floor(Date.now() / 1_000);
  const used = await tokenFor({ sub: 'person-casey' });
  expect((await send(started, used)).statusCode).toBe(200);
  const tokens: Record<string, string> = {
    'one that was used before': used,
    'the signature of a foreign key': await tokenFor({ sub }, { isForged: true }),
    'another issuer': await tokenFor({ sub, iss: 'https://evil.example' }),
    'another client': await tokenFor({ sub, aud: 'another' }),
    'an expired one': await tokenFor({ sub, iat: now - 300, exp: now - 180 }),
    'an old one that expires late': await tokenFor({ sub, iat: now - 3_600, exp: now + 3_600 }),
    'one from the future': await tokenFor({ sub, iat: now + 3_600, exp: now + 7_200 }),
    'an ID token, which has a nonce': await tokenFor({ sub, nonce: 'a nonce' }),
    'no logout event': await tokenFor({ sub, events: {} }),
    'no events': await tokenFor({ sub, events: undefined }),
    'neither person nor session': await tokenFor({}),
    'no id': await tokenFor({ sub, jti: undefined }),
    'no signature': `${Buffer.from('{"alg":"none"}').toString('base64url')}.${used.split('.')[1]}.`,
    'no token': 'x',
  };
  const table: Attempt[] = [];
  for (const [attempt, token] of Object.entries(tokens)) {
    const { statusCode, json } = await send(started, token);
    const { logs } = await started.admin.call(listLogs, {});
    const seen = `${statusCode} ${json().field} ${logs[0]?.summary}`;
    const expected = '400 logout_token A sign-out by the provider of single sign-on was rejected.';
    table.push({ attempt, expected, seen });
  }
  expect(surprises(table)).toEqual([]);
  const json = await send(started, 'x', 'application/json');
  expect([json.statusCode, json.json().message]).toEqual([
    415,
    'logout_token must come in a form (content-type: application/x-www-form-urlencoded).',
  ]);
  expect((await send(started, '')).json()).toMatchObject({ field: 'logout_token' });
  expect(await page.person.call(getUser, {})).toMatchObject({ username: 'alex' });
});

test('many rejected logout tokens stop being logged, and do not keep the provider from ending sessions', async () => {
  const started = await start();
  const page = started.browser();
  await page.signIn('alex');
  for (let tries = 0; tries < 25; tries += 1) expect((await send(started, 'x')).statusCode).toBe(400);
  expect(await started.entries('sign-out')).toHaveLength(20);
  expect((await send(started, await tokenFor({ sub: 'person-alex' }))).statusCode).toBe(200);
  expect((await page.request('/api/user')).statusCode).toBe(401);
});
