import { parseOptions } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { getLoginHint, getUser, login, logout } from '#contracts/session.ts';
import { createEvents } from '#server/compose-events.ts';
import { readConfig } from '#server/config/config.ts';
import { type Person, refusal } from '#support/call.ts';
import { announcementsReceived, type SessionApp, startSessionApp } from '#support/session-app.ts';
import { DEFAULT_CREDENTIALS, LoginHint } from './login-hint.ts';
import { DUMMY_HASH, hashPassword, verifyPassword } from './passwords.ts';

const ADMIN = { username: 'admin', password: 'admin123' };
/** Restores the default password, which the password policy refuses. */
const acceptDefaults = async ({ db }: SessionApp) =>
  db
    .updateTable('account')
    .set({ password_hash: await hashPassword(ADMIN.password) })
    .execute();
const refuses = async (person: Person) =>
  (await person.request({ method: 'GET', url: '/api/user' })).statusCode === 401;

describe('the first account', () => {
  test('the first account is created from the configuration once, even when two processes start together', async () => {
    const on = await startSessionApp();
    await on.db.deleteFrom('account').execute();
    const seeded = await Promise.all([on.accounts.seed(ADMIN), on.accounts.seed({ ...ADMIN, username: 'root' })]);
    expect(seeded.toSorted()).toEqual([false, true]);
    expect(await on.accounts.list()).toHaveLength(1);
  });

  test('the first account is not created when there are accounts', async () => {
    const on = await startSessionApp();
    await startSessionApp({ beside: on, admin: { username: 'other', password: 'a password' } });
    expect((await on.accounts.list()).map((account) => account.username)).toEqual(['admin']);
  });
});

describe('the login hint', () => {
  const hint = (person: Person) => person.call(getLoginHint, {}).then((response) => response.defaultCredentials);

  test('the login hint shows the default credentials while an account accepts them', async () => {
    const on = await startSessionApp();
    const defaults = readConfig({});
    expect(DEFAULT_CREDENTIALS).toEqual({ username: defaults.ADMIN_USERNAME, password: defaults.ADMIN_PASSWORD });
    expect(await hint(on.anonymous())).toEqual(ADMIN);
    await on.accounts.changePassword({ username: 'admin', password: 'something else' });
    expect(await hint(on.anonymous())).toBeNull();
    await acceptDefaults(on);
    expect(await hint(on.anonymous())).toEqual(ADMIN);
  });

  test('the login hint reports whether the caller is signed in', async () => {
    const on = await startSessionApp();
    const person = on.anonymous();
    const signedIn = () => person.call(getLoginHint, {}).then((response) => response.signedIn);
    expect(await signedIn()).toBe(false);
    await person.call(login, { body: ADMIN });
    expect(await signedIn()).toBe(true);
    await person.call(logout, {});
    expect(await signedIn()).toBe(false);
  });

  test.each([
    ['name', { username: 'boss', password: 'admin123' }],
    ['password', { username: 'admin', password: 'configured' }],
  ])('never shows a configured %s', async (_, admin) => {
    expect(await hint((await startSessionApp({ admin })).anonymous())).toBeNull();
  });

  test('the login hint verifies the default password once per stored hash, not at each call', async () => {
    const on = await startSessionApp();
    let verified = 0;
    const verify: typeof verifyPassword = (...passwords) => {
      verified += 1;
      return verifyPassword(...passwords);
    };
    const hint = new LoginHint({ db: on.db, events: createEvents(), hash: String, verify });
    await Promise.all(Array.from({ length: 3 }, () => hint.findShownCredentials()));
    expect(verified).toBe(1);
    await acceptDefaults(on);
    expect(await hint.findShownCredentials()).toEqual(ADMIN);
    expect(verified).toBe(2);
  });
});

test('a failed verification of the default password is retried at the next call', async () => {
  const on = await startSessionApp();
  let tries = 0;
  const verify: typeof verifyPassword = async (...passwords) => {
    tries += 1;
    if (tries === 1) throw new Error('no memory');
    return verifyPassword(...passwords);
  };
  const hint = new LoginHint({ db: on.db, events: createEvents(), hash: String, verify });
  await expect(hint.findShownCredentials()).rejects.toThrow('no memory');
  expect(await hint.findShownCredentials()).toEqual(ADMIN);
});

describe('a change of an account', () => {
  test("a new password immediately ends the account's sessions in every process, and no others", async () => {
    const here = await startSessionApp();
    const there = await startSessionApp({ beside: here });
    await here.accounts.add({ username: 'ann', password: 'ann password' });
    const [ann, admin] = [there.anonymous(), there.anonymous()];
    await ann.call(login, { body: { username: 'ann', password: 'ann password' } });
    await admin.call(login, { body: ADMIN });
    expect(await refuses(ann)).toBe(false);

    await here.accounts.changePassword({ username: 'Ann', password: 'new password' });
    await announcementsReceived(there);
    expect(await refuses(ann)).toBe(true);
    expect(await admin.call(getUser, {})).toMatchObject({ username: 'admin' });
    const old = await refusal(ann.call(login, { body: { username: 'ann', password: 'ann password' } }));
    expect(old.status).toBe(401);
    await ann.call(login, { body: { username: 'ann', password: 'new password' } });
  });

  test('a removed account is signed out immediately in every process', async () => {
    const here = await startSessionApp();
    const there = await startSessionApp({ beside: here });
    await here.accounts.add({ username: 'ann', password: 'ann password' });
    const ann = there.anonymous();
    await ann.call(login, { body: { username: 'ann', password: 'ann password' } });
    await ann.call(getUser, {});
    await here.accounts.remove('ann');
    await announcementsReceived(there);
    expect(await refuses(ann)).toBe(true);
  });

  test('signing an account out immediately ends its sessions in every process and keeps its password', async () => {
    const here = await startSessionApp();
    const there = await startSessionApp({ beside: here });
    const [phone, laptop] = [here.anonymous(), there.anonymous()];
    for (const person of [phone, laptop]) await person.call(login, { body: ADMIN });
    expect([await refuses(phone), await refuses(laptop)]).toEqual([false, false]);
    expect(await here.accounts.signOut('Admin')).toBe(2);
    for (const on of [here, there]) await announcementsReceived(on);
    expect([await refuses(phone), await refuses(laptop)]).toEqual([true, true]);
    await phone.call(login, { body: ADMIN });
    expect(await here.accounts.signOut('admin')).toBe(1);
    expect(await here.accounts.signOut('admin')).toBe(0);
  });

  test('the last account cannot be removed, even when two are removed at the same time', async () => {
    const on = await startSessionApp();
    await on.accounts.add({ username: 'ann', password: 'ann password' });
    const outcomes = await Promise.allSettled([on.accounts.remove('ann'), on.accounts.remove('admin')]);
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await on.accounts.list()).toHaveLength(1);
  });

  test.each([
    ['a taken name', { username: 'ADMIN', password: 'long enough' }, /already exists/],
    ['a short password', { username: 'ann', password: 'short' }, /8 to 1000/],
    ['a common password', { username: 'ann', password: 'Password' }, /too common/],
    ['an empty name', { username: ' ', password: 'long enough' }, /1 to 200/],
    ['a name with invisible characters', { username: 'a\u200Bn', password: 'long enough' }, /visible/],
  ])('%s is rejected with a reason', async (_, account, reason) => {
    await expect((await startSessionApp()).accounts.add(account)).rejects.toThrow(reason);
  });

  test('an unknown name is rejected', async () => {
    const { accounts } = await startSessionApp();
    await expect(accounts.signOut('ghost')).rejects.toThrow('No account is named ghost.');
    await expect(accounts.remove('ghost')).rejects.toThrow('No account is named ghost.');
    await expect(accounts.changePassword({ username: 'ghost', password: 'long enough' })).rejects.toThrow(/No account/);
  });
});

describe('passwords', () => {
  test('passwords are hashed with argon2id, and the dummy hash costs exactly as much', async () => {
    const hashed = await hashPassword('a password');
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(parseOptions(DUMMY_HASH)).toEqual(parseOptions(hashed));
    expect(await verifyPassword(undefined, 'a password')).toBe(false);
  });

  test('match in any Unicode composition', async () => {
    expect(await verifyPassword(await hashPassword('pässwörd'.normalize('NFC')), 'pässwörd'.normalize('NFD'))).toBe(
      true,
    );
  });
});
