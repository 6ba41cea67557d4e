import { describe, expect, test } from 'vitest';
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '#contracts/second-factor.ts';
import { getUser, login } from '#contracts/session.ts';
import { Person, refusal } from '#support/call.ts';
import { Authenticator, setUpFactor } from '#support/second-factor.ts';
import { type SessionApp, startSessionApp } from '#support/session-app.ts';
import { until } from '#support/until.ts';

const ADMIN = { username: 'admin', password: 'admin123' };
const currentPassword = ADMIN.password;
const STEP_MS = 30_000;

async function signIn(on: SessionApp, code?: string): Promise<Person> {
  const person = on.anonymous();
  await person.call(login, { body: { ...ADMIN, ...(code !== undefined && { code }) } });
  return person;
}

/** Somebody signed in, with a second factor that was set up half a minute ago. */
async function withFactor() {
  const on = await startSessionApp();
  const person = await signIn(on);
  const factor = await setUpFactor(person, currentPassword, on.clock.read);
  on.clock.pass(STEP_MS);
  return { on, person, ...factor };
}

const isSignedIn = async (person: Person) =>
  (await person.request({ method: 'GET', url: getUser.path })).statusCode === 200;

const logged = async (on: SessionApp, action = 'second-factor') => {
  const entries = await on.db.selectFrom('log_entry').selectAll().where('action', '=', action).orderBy('id').execute();
  return entries.map(({ type, summary }) => `${type}: ${summary}`);
};

describe('setting up a second factor', () => {
  test('hands out a secret that counts from the first code of the app on', async () => {
    const on = await startSessionApp();
    const person = await signIn(on);
    expect(await person.call(getSecondFactor, {})).toEqual({
      confirmedAt: null,
      recoveryCodesLeft: 0,
      required: false,
    });
    const { secret, address } = await person.call(beginSecondFactor, { body: { currentPassword } });
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(address);
    expect([url.protocol, decodeURIComponent(url.pathname)]).toEqual([
      'otpauth:',
      expect.stringContaining('Video Interview Management:admin'),
    ]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Video Interview Management',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    expect(await isSignedIn(await signIn(on))).toBe(true);

    const phone = new Authenticator(secret, on.clock.read);
    const wrong = await refusal(person.call(confirmSecondFactor, { body: { code: phone.wrongCode() } }));
    expect([wrong.status, wrong.body.field]).toEqual([400, 'code']);
    const { recoveryCodes } = await person.call(confirmSecondFactor, { body: { code: phone.code() } });
    expect(recoveryCodes).toHaveLength(10);
    expect(await person.call(getSecondFactor, {})).toEqual({
      confirmedAt: new Date(on.clock.now).toISOString(),
      recoveryCodesLeft: 10,
      required: false,
    });
    expect((await refusal(signIn(on))).body.code).toBe('second_factor_required');
  });

  test('keeps the caller signed in under another token and signs everybody else out, in every process', async () => {
    const here = await startSessionApp();
    const there = await startSessionApp({ beside: here });
    const [person, other] = [await signIn(here), await signIn(there)];
    const stolen = new Person(there.app, person.cookie);
    for (const one of [other, stolen]) expect(await isSignedIn(one)).toBe(true);
    await setUpFactor(person, currentPassword, here.clock.read);
    expect(person.cookie).not.toBe(stolen.cookie);
    expect(await isSignedIn(person)).toBe(true);
    await until('the others are out', async () => !(await isSignedIn(other)) && !(await isSignedIn(stolen)));
  });

  test('asks for the password, guessed no faster than at the sign-in', async () => {
    const on = await startSessionApp();
    const person = await signIn(on);
    for (let n = 0; n < 5; n += 1) {
      const wrong = await refusal(person.call(beginSecondFactor, { body: { currentPassword: `guess ${n}` } }));
      expect([wrong.status, wrong.body.field]).toEqual([400, 'currentPassword']);
    }
    expect((await refusal(person.call(beginSecondFactor, { body: { currentPassword } }))).status).toBe(429);
    expect((await refusal(signIn(on))).status).toBe(429);
    expect(await logged(on)).toEqual(
      Array(5).fill('error: Somebody signed in as admin gave a wrong current password.'),
    );
  });

  test('the first code is guessed no faster either', async () => {
    const on = await startSessionApp();
    const person = await signIn(on);
    const { secret } = await person.call(beginSecondFactor, { body: { currentPassword } });
    const phone = new Authenticator(secret, on.clock.read);
    const confirm = (code: string) => refusal(person.call(confirmSecondFactor, { body: { code } }));
    for (let n = 0; n < 5; n += 1) expect((await confirm(phone.wrongCode())).status).toBe(400);
    expect((await confirm(phone.code())).status).toBe(429);
  });

  test('a first code that is as long as one and no number is wrong', async () => {
    const person = await signIn(await startSessionApp());
    await person.call(beginSecondFactor, { body: { currentPassword } });
    const { status, body } = await refusal(person.call(confirmSecondFactor, { body: { code: '𝟙𝟚𝟛' } }));
    expect([status, body.field]).toEqual([400, 'code']);
  });

  test('cannot be confirmed when it was not begun, and only with the app that was begun last', async () => {
    const on = await startSessionApp();
    const person = await signIn(on);
    expect((await refusal(person.call(confirmSecondFactor, { body: { code: '123456' } }))).status).toBe(409);
    const begin = () => person.call(beginSecondFactor, { body: { currentPassword } });
    const [first, second] = [await begin(), await begin()];
    expect(first.secret).not.toBe(second.secret);
    const code = new Authenticator(first.secret, on.clock.read).code();
    expect((await refusal(person.call(confirmSecondFactor, { body: { code } }))).status).toBe(400);
  });

  test('stores the secret sealed for this account alone', async () => {
    const { on, person, secret } = await withFactor();
    const [row] = await on.db.selectFrom('second_factor').selectAll().execute();
    expect(row?.secret_sealed?.subarray(0, 4).toString()).toBe('vim1');
    expect(row?.secret_sealed?.toString('latin1')).not.toContain(secret);
    expect(row?.pending_sealed).toBeNull();
    expect(JSON.stringify(await person.call(getSecondFactor, {}))).not.toContain(secret);
  });
});

describe('a second factor that is there', () => {
  test('is moved to another app with a code of the old one, which counts until the new one is confirmed', async () => {
    const { on, person, phone, recoveryCodes } = await withFactor();
    const without = await refusal(person.call(beginSecondFactor, { body: { currentPassword } }));
    expect([without.status, without.body.field]).toEqual([400, 'code']);
    const { secret } = await person.call(beginSecondFactor, { body: { currentPassword, code: phone.code() } });
    on.clock.pass(STEP_MS);
    expect(await isSignedIn(await signIn(on, phone.code()))).toBe(true);

    const newPhone = new Authenticator(secret, on.clock.read);
    const moved = await person.call(confirmSecondFactor, { body: { code: newPhone.code() } });
    on.clock.pass(STEP_MS);
    for (const old of [phone.code(), recoveryCodes[0]])
      expect((await refusal(signIn(on, old))).body.code).toBe('wrong_code');
    expect(await isSignedIn(await signIn(on, newPhone.code()))).toBe(true);
    expect(await isSignedIn(await signIn(on, moved.recoveryCodes[0]))).toBe(true);
    expect(await logged(on)).toEqual([
      'auth: admin set up a second factor.',
      'auth: admin moved the second factor to another app.',
    ]);
  });

  test('gets new recovery codes with password and code, and the former open nothing', async () => {
    const { on, person, phone, recoveryCodes } = await withFactor();
    const body = { currentPassword, code: phone.code() };
    const renewed = await person.call(renewRecoveryCodes, { body });
    expect(await isSignedIn(person)).toBe(true);
    expect((await refusal(signIn(on, recoveryCodes[0]))).body.code).toBe('wrong_code');
    expect(await isSignedIn(await signIn(on, renewed.recoveryCodes[0]))).toBe(true);
    expect(await person.call(getSecondFactor, {})).toMatchObject({ recoveryCodesLeft: 9 });
    expect(await logged(on)).toContain('auth: admin made new recovery codes.');
  });

  test('is turned off with password and code, which ends the other sessions, and is logged', async () => {
    const { on, person, phone } = await withFactor();
    const other = await signIn(on, phone.code());
    on.clock.pass(STEP_MS);
    const before = person.cookie;
    await person.call(turnOffSecondFactor, { body: { currentPassword, code: phone.code() } });
    expect(person.cookie).not.toBe(before);
    expect(await isSignedIn(person)).toBe(true);
    await until('the other one is out', async () => !(await isSignedIn(other)));
    expect(await isSignedIn(await signIn(on))).toBe(true);
    expect(await logged(on)).toContain('auth: admin turned the second factor off.');
    expect(await on.db.selectFrom('recovery_code').selectAll().execute()).toEqual([]);
  });

  test.each([
    ['the password is wrong', { currentPassword: 'wrong' }, 'currentPassword'],
    ['the code is wrong', { code: 'wrong' }, 'code'],
    ['the code was used before', { code: 'used' }, 'code'],
    ['there is no code', { code: undefined }, 'code'],
  ])('stays as it is when %s, and the answer names the field', async (_, given, field) => {
    const { on, person, phone } = await withFactor();
    const codes = { wrong: phone.wrongCode(), used: phone.code(-1), right: phone.code() };
    const named = { currentPassword, code: 'right', ...given } as { currentPassword: string; code?: 'right' };
    const body = { ...named, ...(named.code && { code: codes[named.code] }) };
    for (const { path } of [turnOffSecondFactor, renewRecoveryCodes]) {
      const answer = await person.request({ method: 'POST', url: path, body });
      expect([answer.statusCode, answer.json().field]).toEqual([400, field]);
    }
    expect(await isSignedIn(person)).toBe(true);
    expect((await refusal(signIn(on))).body.code).toBe('second_factor_required');
    expect(await person.call(getSecondFactor, {})).toMatchObject({ recoveryCodesLeft: 10 });
  });

  test('that is not there is neither turned off nor given recovery codes', async () => {
    const on = await startSessionApp();
    const person = await signIn(on);
    for (const endpoint of [turnOffSecondFactor, renewRecoveryCodes]) {
      const said = await refusal(person.call(endpoint, { body: { currentPassword, code: '123456' } }));
      expect([said.status, said.body.message]).toEqual([409, 'This account has no second factor.']);
    }
  });

  test('is taken away by an administrator, which signs everybody out and is logged', async () => {
    const { on, person } = await withFactor();
    expect(await on.accounts.list()).toMatchObject([{ username: 'admin', hasSecondFactor: true }]);
    await on.accounts.resetSecondFactor('ADMIN');
    await until('they are out', async () => !(await isSignedIn(person)));
    expect(await isSignedIn(await signIn(on))).toBe(true);
    expect(await on.accounts.list()).toMatchObject([{ hasSecondFactor: false }]);
    expect(await logged(on, 'reset-second-factor')).toEqual(['system: The second factor of admin was removed.']);
    await expect(on.accounts.resetSecondFactor('admin')).rejects.toThrow('admin has no second factor.');
    await expect(on.accounts.resetSecondFactor('nobody')).rejects.toThrow('There is no account named nobody.');
  });
});
