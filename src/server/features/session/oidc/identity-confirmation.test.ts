import { expect, test } from 'vitest';
import { getUser } from '#contracts/session.ts';
import { hashPassword } from '#server/features/session/accounts/passwords.ts';
import { setUpFactor } from '#support/second-factor.ts';
import type { SignOnBrowser } from '#support/sign-on-browser.ts';
import { plainSignOn, startWithSignOn } from '#support/single-sign-on.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';

const sandbox = await sandboxOfFile();

/** The account `admin` has the email address of a person at the provider. */
async function startWithAdministrator(env: Record<string, string> = {}) {
  const started = await startWithSignOn(sandbox, { ...plainSignOn(sandbox), ...env });
  await started.product.db.updateTable('account').set({ email: 'alex@example.com' }).execute();
  return started;
}

const confirm = (page: SignOnBrowser, body: object) =>
  page.request('/api/login/oidc/confirm', { method: 'POST', body });

test('an administrator is linked with the password only', async () => {
  const { browser, account, entries } = await startWithAdministrator();
  const page = browser();
  const response = await page.signIn('alex');
  expect([response.statusCode, response.headers.location]).toEqual([302, '/login?confirm=admin']);
  expect((await page.request('/api/user')).statusCode).toBe(401);
  expect((await account('admin'))?.identities).toEqual([]);

  const wrong = await confirm(page, { password: 'wrong' });
  expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'wrong_credentials']);
  expect((await confirm(page, {})).json()).toMatchObject({ code: 'invalid_input', field: 'password' });

  const linked = await confirm(page, { password: 'admin123' });
  expect([linked.statusCode, linked.json().username]).toEqual([200, 'admin']);
  expect(await page.person.call(getUser, {})).toMatchObject({ username: 'admin', role: 'administrator' });
  expect((await account('admin'))?.identities).toMatchObject([{ subject: 'person-alex' }]);
  expect((await entries('link-identity'))[0]?.summary).toBe('admin was linked to single sign-on by password.');

  const again = browser();
  expect((await again.signIn('alex')).headers.location).toBe('/');
  expect(await again.person.call(getUser, {})).toMatchObject({ username: 'admin' });
});

test('an administrator with a second factor also needs its code', async () => {
  const { admin, browser, account } = await startWithAdministrator();
  const { phone } = await setUpFactor(admin, 'admin123');
  const page = browser();
  await page.signIn('alex');
  const missing = await confirm(page, { password: 'admin123' });
  expect([missing.statusCode, missing.json().code]).toEqual([401, 'second_factor_required']);
  const wrong = await confirm(page, { password: 'admin123', code: phone.wrongCode() });
  expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'wrong_code']);
  expect((await account('admin'))?.identities).toEqual([]);
  expect((await confirm(page, { password: 'admin123', code: phone.code(1) })).statusCode).toBe(200);
});

test('without a person who waits, or with a foreign or used cookie, nothing is linked', async () => {
  const { browser, product } = await startWithAdministrator();
  const stranger = browser();
  const nothing = await confirm(stranger, { password: 'admin123' });
  expect([nothing.statusCode, nothing.json().message]).toEqual([
    400,
    'This sign-in has expired. Start again with single sign-on.',
  ]);
  const page = browser();
  await page.signIn('alex');
  const waiting = page.cookies.get('pending-identity') ?? '';
  const attempt = await page.start().then(() => page.cookies.get('single-sign-on') ?? '');
  for (const cookie of ['', 'x', waiting.slice(0, -4), attempt]) {
    stranger.cookies.set('pending-identity', cookie);
    const refused = await confirm(stranger, { password: 'admin123' });
    expect(refused.statusCode).toBe(400);
  }
  expect((await confirm(page, { password: 'admin123' })).statusCode).toBe(200);
  page.cookies.set('pending-identity', waiting);
  expect((await confirm(page, { password: 'admin123' })).statusCode).toBe(400);
  expect(await product.db.selectFrom('identity').select('subject').execute()).toHaveLength(1);
});

test('where others can reach the server, the default password links nothing', async () => {
  const env = { TRUST_PROXY: 'true', ADMIN_PASSWORD: 'a long enough password' };
  const { browser, product, account } = await startWithAdministrator(env);
  await product.db
    .updateTable('account')
    .set({ password_hash: await hashPassword('admin123') })
    .execute();
  const page = browser();
  await page.signIn('alex');
  const refused = await confirm(page, { password: 'admin123' });
  expect([refused.statusCode, refused.json().code]).toEqual([401, 'password_change_required']);
  expect((await account('admin'))?.identities).toEqual([]);
});

test('guessing the password of the confirmation is slowed down', async () => {
  const { browser } = await startWithAdministrator();
  const page = browser();
  await page.signIn('alex');
  const codes: number[] = [];
  for (let guess = 0; guess < 7; guess += 1)
    codes.push((await confirm(page, { password: `guess ${guess}` })).statusCode);
  expect(codes).toEqual([401, 401, 401, 401, 401, 429, 429]);
});
