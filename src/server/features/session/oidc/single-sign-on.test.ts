import { describe, expect, test } from 'vitest';
import { updateAccount } from '#contracts/accounts.ts';
import { listFunnels } from '#contracts/funnels.ts';
import { changePassword, getLoginHint, getUser, login } from '#contracts/session.ts';
import { signOnVariables } from '#sandbox/product-variables.ts';
import { refusal } from '#support/call.ts';
import { plainSignOn, startWithSignOn } from '#support/single-sign-on.ts';
import { startApp } from '#support/start-app.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';

const sandbox = await sandboxOfFile();
const { state } = sandbox.identity;
const HOUR_MS = 3_600_000;

function personNamed(username: string) {
  const person = state.people.find((one) => one.username === username);
  if (!person) throw new Error(`The sandbox has no ${username}`);
  return person;
}

describe('the login page', () => {
  test('the hint names the provider, and null without one', async () => {
    const product = await startApp({ jobs: false });
    expect(await product.anonymous().call(getLoginHint, {})).toMatchObject({ oidc: null, isPasswordHidden: false });
    const start = await product.anonymous().request({ method: 'GET', url: '/api/login/oidc' });
    expect([start.statusCode, start.json().code]).toEqual([409, 'not_configured']);
    const other = await startApp({ jobs: false, env: plainSignOn(sandbox) });
    expect(await other.anonymous().call(getLoginHint, {})).toMatchObject({ oidc: { name: 'Demo Company' } });
  });

  test('a product starts while the provider is unreachable, and works once it is back', async () => {
    const { browser, invite, entries } = await startWithSignOn(sandbox, plainSignOn(sandbox));
    await invite({ username: 'riley' });
    const stop = sandbox.control.fail({ kind: 'status', status: 503, on: 'identity' });
    const page = browser();
    const response = await page.request('/api/login/oidc');
    expect([response.statusCode, response.headers.location]).toEqual([302, '/login?refused=unreachable']);
    const [entry] = await entries('sign-in');
    expect(entry?.summary).toBe("Single sign-on was rejected: the provider can't be reached.");
    stop.stop();
    expect((await page.signIn('riley')).headers.location).toBe('/');
  });
});

describe('who a person is', () => {
  test('a verified email address finds the account once; then issuer and subject do', async () => {
    const { browser, invite, account, entries } = await startWithSignOn(sandbox, plainSignOn(sandbox));
    await invite({ username: 'Riley Chen', email: 'Riley@Example.com' });
    const page = browser();
    const response = await page.signIn('riley', '/funnels?x=1#y');
    expect([response.statusCode, response.headers.location]).toEqual([302, '/funnels?x=1#y']);
    expect(await page.person.call(getUser, {})).toMatchObject({ username: 'Riley Chen', role: 'recruiter' });
    const { issuer } = sandbox.identity;
    expect(await account('Riley Chen')).toMatchObject({
      identities: [{ issuer, subject: 'person-riley', email: 'riley@example.com' }],
    });
    const [linked] = await entries('link-identity');
    expect(linked?.summary).toBe('Riley Chen was linked to single sign-on by email address.');
    const [signedIn] = await entries('sign-in');
    expect(signedIn).toMatchObject({
      summary: 'Riley Chen signed in with single sign-on.',
      actor: { kind: 'account', name: 'Riley Chen' },
      metadata: { issuer, subject: 'person-riley' },
    });

    Object.assign(personNamed('riley'), { email: 'married@example.com', isEmailVerified: false });
    expect((await browser().signIn('riley')).headers.location).toBe('/');
    expect((await account('Riley Chen'))?.identities).toMatchObject([{ email: 'married@example.com' }]);
  });

  test.each([
    ['no account has the email address', { email: 'stranger@example.com' }, 'no_account'],
    ['the email address is not verified', { isEmailVerified: false }, 'unverified'],
    ['another person is linked to the account', { id: 'person-other' }, 'linked'],
  ])('a person without an account is rejected when %s', async (_reason, changes, reason) => {
    const { browser, invite, account, entries } = await startWithSignOn(sandbox, plainSignOn(sandbox));
    await invite({ username: 'riley' });
    if (reason === 'linked') await browser().signIn('riley');
    Object.assign(personNamed('riley'), changes);
    const page = browser();
    expect((await page.signIn('riley')).headers.location).toBe(`/login?refused=${reason}`);
    expect((await page.request('/api/user')).statusCode).toBe(401);
    expect((await account('riley'))?.identities).toHaveLength(reason === 'linked' ? 1 : 0);
    const [entry] = await entries('sign-in');
    expect(entry).toMatchObject({ type: 'error', status: 'error', metadata: { reason } });
  });

  test('a disabled account is not signed in to, by email address or as a linked one', async () => {
    const { admin, browser, invite } = await startWithSignOn(sandbox, plainSignOn(sandbox));
    const { id } = await invite({ username: 'riley' });
    const disable = (isDisabled: boolean) => admin.call(updateAccount, { params: { id }, body: { isDisabled } });
    await disable(true);
    expect((await browser().signIn('riley')).headers.location).toBe('/login?refused=disabled');
    await disable(false);
    const page = browser();
    await page.signIn('riley');
    await disable(true);
    expect((await page.request('/api/user')).statusCode).toBe(401);
    expect((await page.signIn('riley')).headers.location).toBe('/login?refused=disabled');
  });

  test('two first sign-ins of a person at the same time create one account', async () => {
    const { browser, product } = await startWithSignOn(sandbox, signOnVariables(sandbox));
    const pages = [browser(), browser(), browser()];
    const locations = await Promise.all(pages.map(async (page) => (await page.signIn('robin')).headers.location));
    expect(locations).toEqual(['/', '/', '/']);
    expect(await product.db.selectFrom('identity').select('subject').execute()).toEqual([{ subject: 'person-robin' }]);
  });

  test('a first sign-in during an invitation of the same person opens the invited account', async () => {
    const { browser, product, account } = await startWithSignOn(sandbox, {
      ...plainSignOn(sandbox),
      OIDC_CREATE: 'true',
      OIDC_DEFAULT_ROLE: 'recruiter',
    });
    const invitation = await product.db.startTransaction().execute();
    await invitation
      .insertInto('account')
      .values({ username: 'robin', email: 'robin@example.com', role: 'reviewer' })
      .execute();
    const signIn = browser().signIn('robin');
    await until('the sign-in waits for the invitation', async () => (await waitingSessions(product.db)) > 0);
    await invitation.commit().execute();
    expect((await signIn).headers.location).toBe('/');
    expect(await account('robin')).toMatchObject({ email: 'robin@example.com', role: 'reviewer' });
  });

  test('a new account takes a name that is free, and sees no funnels', async () => {
    const { admin, product, browser, invite, account } = await startWithSignOn(sandbox, {
      ...plainSignOn(sandbox),
      OIDC_CREATE: 'true',
      OIDC_DEFAULT_ROLE: 'recruiter',
    });
    await product.build.funnel(admin);
    await invite({ username: 'ROBIN', email: null });
    const page = browser();
    expect((await page.signIn('robin')).headers.location).toBe('/');
    expect(await account('robin@example.com')).toMatchObject({
      ...{ email: 'robin@example.com', role: 'recruiter', allFunnels: false, funnelIds: [] },
    });
    expect(await page.person.call(listFunnels, {})).toEqual([]);
  });
});

describe('roles from groups', () => {
  test('groups decide the role at every sign-in, and open sessions follow', async () => {
    const { browser, account, entries } = await startWithSignOn(sandbox, signOnVariables(sandbox));
    const riley = personNamed('riley');
    const page = browser();
    await page.signIn('riley');
    expect(await page.person.call(getUser, {})).toMatchObject({ role: 'recruiter', allFunnels: false, funnelIds: [] });
    riley.groups = ['unlisted', 'interviews-recruiters', 'interviews-admins'];
    await browser().signIn('riley');
    expect(await page.person.call(getUser, {})).toMatchObject({ role: 'administrator', allFunnels: true });
    expect(await account('riley')).toMatchObject({ role: 'administrator', allFunnels: true, funnelIds: [] });
    riley.groups = [];
    await browser().signIn('riley');
    expect(await page.person.call(getUser, {})).toMatchObject({ role: 'reviewer', allFunnels: false });
    const [last] = await entries('update-account');
    expect(last).toMatchObject({
      summary: 'The role of riley was changed by single sign-on.',
      metadata: { before: { role: 'administrator' }, after: { role: 'reviewer' } },
    });
  });

  test('a person who became an account as an administrator sees no funnels without that group', async () => {
    const { admin, product, browser, account } = await startWithSignOn(sandbox, signOnVariables(sandbox));
    await product.build.funnel(admin);
    const page = browser();
    await page.signIn('alex');
    expect(await account('alex')).toMatchObject({ role: 'administrator', allFunnels: true });
    expect(await page.person.call(listFunnels, {})).toHaveLength(1);
    const { id = 0 } = (await account('alex')) ?? {};
    // As the form sends it.
    const body = { email: 'alex.new@example.com', role: 'administrator', allFunnels: true } as const;
    await admin.call(updateAccount, { params: { id }, body: { ...body, funnelIds: [] } });
    personNamed('alex').groups = ['interviews-recruiters'];
    await browser().signIn('alex');
    expect(await account('alex')).toMatchObject({ role: 'recruiter', allFunnels: false, funnelIds: [] });
    expect(await page.person.call(listFunnels, {})).toEqual([]);
    personNamed('alex').groups = ['interviews-admins'];
    await browser().signIn('alex');
    const demoted = await admin.call(updateAccount, { params: { id }, body: { role: 'recruiter' } });
    expect(demoted).toMatchObject({ role: 'recruiter', allFunnels: false, funnelIds: [] });
  });

  test('the last enabled administrator keeps the role, which is logged', async () => {
    const { product, browser, account, entries } = await startWithSignOn(sandbox, signOnVariables(sandbox));
    await browser().signIn('alex');
    await product.db.updateTable('account').set({ is_disabled: true }).where('username', '=', 'admin').execute();
    personNamed('alex').groups = ['interviews-recruiters'];
    const page = browser();
    await page.signIn('alex');
    expect(await page.person.call(getUser, {})).toMatchObject({ role: 'administrator' });
    await product.db.updateTable('account').set({ is_disabled: false }).where('username', '=', 'admin').execute();
    expect((await entries('update-account'))[0]).toMatchObject({
      status: 'warning',
      summary: 'alex is the last enabled administrator and keeps the role against single sign-on.',
    });
    await browser().signIn('alex');
    expect(await account('alex')).toMatchObject({ role: 'recruiter' });
  });

  test('without a claim, a sign-in leaves the role of an account as it is', async () => {
    const { browser, invite, account } = await startWithSignOn(sandbox, plainSignOn(sandbox));
    await invite({ username: 'riley', role: 'recruiter' });
    personNamed('riley').groups = ['interviews-admins'];
    await browser().signIn('riley');
    expect(await account('riley')).toMatchObject({ role: 'recruiter' });
  });
});

describe('sessions of single sign-on', () => {
  test('a session lasts 12 hours at most, even after use and after a change of the password', async () => {
    const { product, admin, browser } = await startWithSignOn(sandbox, signOnVariables(sandbox));
    const endOf = async (username: string) => {
      const sessions = product.db.selectFrom('session').innerJoin('account', 'account.id', 'account_id');
      const rows = await sessions.select('expires_at').where('username', '=', username).execute();
      return rows.map((row) => row.expires_at.getTime());
    };
    const page = browser();
    const startedAt = Date.now();
    await page.signIn('alex');
    const [end = 0] = await endOf('alex');
    expect(Math.abs(end - startedAt - 12 * HOUR_MS)).toBeLessThan(60_000);

    // As the account of someone who had a password before, and eleven hours later.
    const { password_hash } = await product.db
      .selectFrom('account')
      .select('password_hash')
      .where('username', '=', 'admin')
      .executeTakeFirstOrThrow();
    await product.db.updateTable('account').set({ password_hash }).where('username', '=', 'alex').execute();
    const soon = new Date(startedAt + HOUR_MS);
    const started = new Date(startedAt - 11 * HOUR_MS);
    await product.db
      .updateTable('session')
      .set({ expires_at: soon, created_at: started })
      .where('identity_id', 'is not', null)
      .execute();
    await page.person.call(getUser, {});
    expect(await endOf('alex')).toEqual([soon.getTime()]);
    const body = { currentPassword: 'admin123', newPassword: 'a long enough password' };
    await page.person.call(changePassword, { body });
    expect(Math.max(...(await endOf('alex')))).toBe(soon.getTime());
    expect(admin.cookie).toBeDefined();
  });

  test('signing in again ends the session that the browser had', async () => {
    const { browser, product } = await startWithSignOn(sandbox, signOnVariables(sandbox));
    const page = browser();
    await page.signIn('alex');
    const former = page.person;
    await page.signIn('riley');
    expect((await refusal(former.call(getUser, {}))).status).toBe(401);
    const open = product.db.selectFrom('session').innerJoin('account', 'account.id', 'account_id').select('username');
    expect((await open.execute()).map(({ username }) => username).toSorted()).toEqual(['admin', 'riley']);
  });
});

describe('single sign-on only', () => {
  test('passwords are rejected for everyone except the emergency account', async () => {
    const env = { ...signOnVariables(sandbox), OIDC_ONLY: 'true', OIDC_BREAK_GLASS: 'Admin' };
    const { product, admin, invite } = await startWithSignOn(sandbox, env);
    expect(await admin.call(getUser, {})).toMatchObject({ username: 'admin' });
    await invite({ username: 'ann' });
    expect(await product.anonymous().call(getLoginHint, {})).toMatchObject({
      ...{ isPasswordHidden: true, defaultCredentials: null },
    });
    const credentials = { username: 'ann', password: 'whatever it is' };
    const { status, body: refused } = await refusal(product.anonymous().call(login, { body: credentials }));
    expect([status, refused.code]).toEqual([403, 'forbidden']);
    expect(refused.message).toBe('Passwords are turned off here. Sign in with Demo Company instead.');
    for (const path of ['/api/login/password', '/api/login/second-factor/secret', '/api/login/second-factor']) {
      const body = { ...credentials, code: '123456', startCode: 'x', newPassword: 'a long enough password' };
      expect((await product.anonymous().request({ method: 'POST', url: path, body })).statusCode).toBe(403);
    }
  });
});
