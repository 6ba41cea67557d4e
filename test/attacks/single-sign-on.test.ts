import { expect, onTestFinished, test, vi } from 'vitest';
import { getUser } from '#contracts/session.ts';
import { signOnVariables } from '#sandbox/product-variables.ts';
import { type Attempt, surprises } from '#support/attempts.ts';
import type { SignOnBrowser } from '#support/sign-on-browser.ts';
import { type SignOnProduct, startWithSignOn } from '#support/single-sign-on.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';

const sandbox = await sandboxOfFile();
const { state } = sandbox.identity;
const start = () => startWithSignOn(sandbox, signOnVariables(sandbox));

/** Counts the traces that a sign-in would leave. */
async function traces({ product: { db } }: SignOnProduct) {
  const rows = await Promise.all([
    db.selectFrom('account').select('username').execute(),
    db.selectFrom('identity').select('subject').execute(),
    db.selectFrom('session').select('id').execute(),
  ]);
  return rows.map(({ length }) => length).join();
}

/** The administrator's own account and session. */
const NOTHING = '1,0,1';

async function reasonOf(started: SignOnProduct, response: Awaited<ReturnType<SignOnBrowser['request']>>) {
  const [entry] = await started.entries('sign-in');
  const logged = (entry?.metadata as { reason?: string } | null)?.reason ?? 'nothing';
  return `${response.headers.location} logged ${logged}, left ${await traces(started)}`;
}

const refused = (reason: string) => `/login?refused=${reason} logged ${reason}, left ${NOTHING}`;

function withParameter(given: string, name: string, value: string | null): string {
  const url = new URL(given);
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return url.href;
}

test('a callback whose parameters were changed starts no session', async () => {
  const started = await start();
  const table: Attempt[] = [];
  const changes: [attempt: string, name: string, value: string | null, reason: string][] = [
    ['another state', 'state', 'A'.repeat(43), 'expired'],
    ['no state', 'state', null, 'expired'],
    ['another code', 'code', 'A'.repeat(43), 'invalid'],
    ['no code', 'code', null, 'invalid'],
    ['the name of another issuer (mix-up)', 'iss', 'https://evil.example', 'invalid'],
    ['no issuer, though the provider names it', 'iss', null, 'invalid'],
  ];
  for (const [attempt, name, value, reason] of changes) {
    const page = started.browser();
    const callback = await page.choose('alex', await page.start());
    const response = await page.finish(withParameter(callback, name, value));
    table.push({ attempt, expected: refused(reason), seen: await reasonOf(started, response) });
  }
  expect(surprises(table)).toEqual([]);
});

test('an ID token that was changed, is too old, or is for another client or sign-in starts no session', async () => {
  const started = await start();
  const table: Attempt[] = [];
  const now = Math.floor(Date.now() / 1_000);
  const tokens: [attempt: string, claims: object, isForged?: boolean][] = [
    ['the nonce of another sign-in', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['another client', { aud: 'another' }],
    ['an expired token', { iat: now - 3_600, exp: now - 1_800 }],
    ['a token without a subject', { sub: undefined }],
    ['another person than the access token', { sub: 'person-riley' }],
    ['the signature of a foreign key', {}, true],
  ];
  for (const [attempt, claims, isForged = false] of tokens) {
    state.tampering = { claims: claims as Record<string, unknown>, isForged };
    const response = await started.browser().signIn('alex');
    table.push({ attempt, expected: refused('invalid'), seen: await reasonOf(started, response) });
  }
  expect(surprises(table)).toEqual([]);
});

test('a callback that another browser began starts no session: neither login CSRF nor a stolen address', async () => {
  const started = await start();
  const attacker = started.browser();
  const callback = await attacker.choose('alex', await attacker.start());
  const victim = started.browser();
  expect(await reasonOf(started, await victim.finish(callback))).toBe(refused('expired'));
  await victim.start();
  expect(await reasonOf(started, await victim.finish(callback))).toBe(refused('expired'));
  expect((await victim.request('/api/user')).statusCode).toBe(401);
});

test('a callback works once, and for ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const started = await start();
  const late = started.browser();
  const lateCallback = await late.choose('alex', await late.start());
  vi.setSystemTime(Date.now() + 11 * 60_000);
  const response = await late.finish(lateCallback);
  expect(await reasonOf(started, response)).toBe(refused('expired'));

  const page = started.browser();
  const callback = await page.choose('alex', await page.start());
  const attempt = page.cookies.get('single-sign-on') ?? '';
  await page.finish(callback);
  expect(await page.person.call(getUser, {})).toMatchObject({ username: 'alex' });
  expect((await page.finish(callback)).headers.location).toBe('/login?refused=expired');
  page.cookies.set('single-sign-on', attempt);
  expect((await page.finish(callback)).headers.location).toBe('/login?refused=invalid');
});

test('a person who cancels at the provider, and a wrong client secret, are rejected with different advice', async () => {
  const started = await start();
  expect(await reasonOf(started, await started.browser().signIn(null))).toBe(refused('denied'));
  const other = await startWithSignOn(sandbox, { ...signOnVariables(sandbox), OIDC_CLIENT_SECRET: 'wrong' });
  expect(await reasonOf(other, await other.browser().signIn('alex'))).toBe(refused('misconfigured'));
});

test('a sign-in only redirects to pages of the product', async () => {
  const { browser } = await start();
  const page = browser();
  const targets = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/\t/evil.example',
    '\\/evil.example',
    'javascript:alert(1)',
    'evil',
    `/${'x'.repeat(2_000)}`,
    // The cookie contains the encoded path.
    `/${'é'.repeat(1_000)}`,
  ];
  for (const to of targets) {
    const response = await page.request(`/api/login/oidc?${new URLSearchParams({ to })}`);
    expect([to, response.statusCode, response.json().field]).toEqual([to, 400, 'to']);
  }
  expect((await page.signIn('alex', '/é?q=//evil.example')).headers.location).toBe('/%C3%A9?q=//evil.example');
});

test('many rejected sign-ins from an address stop being logged, without blocking other sign-ins from it', async () => {
  const started = await start();
  const colleague = started.browser();
  const callback = await colleague.choose('alex', await colleague.start());
  const outage = sandbox.control.fail({ kind: 'status', status: 503, on: 'identity' });
  const locations = new Set<unknown>();
  for (let tries = 0; tries < 30; tries += 1) {
    const page = started.browser();
    if (tries % 2 === 0) await page.start();
    locations.add((await page.request('/api/login/oidc/callback?state=x&code=y')).headers.location);
  }
  // The provider is not asked.
  expect([...locations]).toEqual(['/login?refused=expired']);
  outage.stop();
  expect(await started.entries('sign-in')).toHaveLength(1 + 20);
  expect((await colleague.finish(callback)).headers.location).toBe('/');
  expect((await started.browser().signIn('riley')).headers.location).toBe('/');
});

test('a sign-in that someone has begun reaches the provider only a few times', async () => {
  const started = await start();
  const page = started.browser();
  const state = new URL(await page.start()).searchParams.get('state') ?? '';
  const attempt = page.cookies.get('single-sign-on') ?? '';
  const locations: unknown[] = [];
  for (let tries = 0; tries < 7; tries += 1) {
    page.cookies.set('single-sign-on', attempt);
    const query = new URLSearchParams({ state, code: 'wrong', iss: sandbox.identity.issuer });
    locations.push((await page.request(`/api/login/oidc/callback?${query}`)).headers.location);
  }
  const refusals = locations.map((location) => String(location).split('=')[1]);
  expect(refusals).toEqual([...Array<string>(5).fill('invalid'), 'expired', 'expired']);
});
