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

async function signIn(app: SessionApp, code?: string): Promise<Person> {
  const person = app.anonymous();
  await person.call(login, { body: { ...ADMIN, ...(code !== undefined && { code }) } });
  return person;
}

/** A signed-in user whose second factor was set up 30 seconds ago. */
async function withFactor() {
  const app = await startSessionApp();
  const person = await signIn(app);
  const factor = await setUpFactor(person, currentPassword, app.clock.read);
  app.clock.pass(STEP_MS);
  return { app, person, ...factor };
}

const isSignedIn = async (person: Person) =>
  (await person.request({ method: 'GET', url: getUser.path })).statusCode === 200;

const logged = async (app: SessionApp, action = 'second-factor') => {
  const entries = await app.db.selectFrom('log_entry').selectAll().where('action', '=', action).orderBy('id').execute();
  return entries.map(({ type, summary }) => `${type}: ${summary}`);
};

describe('setting up a second factor', () => {
  test('setting up a second factor returns a secret that takes effect with the first code of the app', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
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
    expect(await isSignedIn(await signIn(app))).toBe(true);

    const phone = new Authenticator(secret, app.clock.read);
    const wrong = await refusal(person.call(confirmSecondFactor, { body: { code: phone.wrongCode() } }));
    expect([wrong.status, wrong.body.field]).toEqual([400, 'code']);
    const { recoveryCodes } = await person.call(confirmSecondFactor, { body: { code: phone.code() } });
    expect(recoveryCodes).toHaveLength(10);
    expect(await person.call(getSecondFactor, {})).toEqual({
      confirmedAt: new Date(app.clock.now).toISOString(),
      recoveryCodesLeft: 10,
      required: false,
    });
    expect((await refusal(signIn(app))).body.code).toBe('second_factor_required');
  });

  test('setting up a second factor keeps the caller signed in under a new token and ends all their other sessions, in every process', async () => {
    const here = await startSessionApp();
    const there = await startSessionApp({ beside: here });
    const [person, other] = [await signIn(here), await signIn(there)];
    const stolen = new Person(there.app, person.cookie);
    for (const one of [other, stolen]) expect(await isSignedIn(one)).toBe(true);
    await setUpFactor(person, currentPassword, here.clock.read);
    expect(person.cookie).not.toBe(stolen.cookie);
    expect(await isSignedIn(person)).toBe(true);
    await until('the others are signed out', async () => !(await isSignedIn(other)) && !(await isSignedIn(stolen)));
  });

  test('setting up a second factor asks for the password, and guessing it is throttled like a sign-in', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    for (let n = 0; n < 5; n += 1) {
      const wrong = await refusal(person.call(beginSecondFactor, { body: { currentPassword: `guess ${n}` } }));
      expect([wrong.status, wrong.body.field]).toEqual([400, 'currentPassword']);
    }
    expect((await refusal(person.call(beginSecondFactor, { body: { currentPassword } }))).status).toBe(429);
    expect((await refusal(signIn(app))).status).toBe(429);
    expect(await logged(app)).toEqual(Array(5).fill('error: admin entered a wrong current password.'));
  });

  test('guessing the first code is throttled', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    const { secret } = await person.call(beginSecondFactor, { body: { currentPassword } });
    const phone = new Authenticator(secret, app.clock.read);
    const confirm = (code: string) => refusal(person.call(confirmSecondFactor, { body: { code } }));
    for (let n = 0; n < 5; n += 1) expect((await confirm(phone.wrongCode())).status).toBe(400);
    expect((await confirm(phone.code())).status).toBe(429);
  });

  test('a first code of digits outside ASCII is wrong', async () => {
    const person = await signIn(await startSessionApp());
    await person.call(beginSecondFactor, { body: { currentPassword } });
    const { status, body } = await refusal(person.call(confirmSecondFactor, { body: { code: '𝟙𝟚𝟛' } }));
    expect([status, body.field]).toEqual([400, 'code']);
  });

  test('setting up a second factor can be confirmed only after it was begun, and only with the latest app', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    expect((await refusal(person.call(confirmSecondFactor, { body: { code: '123456' } }))).status).toBe(409);
    const begin = () => person.call(beginSecondFactor, { body: { currentPassword } });
    const [first, second] = [await begin(), await begin()];
    expect(first.secret).not.toBe(second.secret);
    const code = new Authenticator(first.secret, app.clock.read).code();
    expect((await refusal(person.call(confirmSecondFactor, { body: { code } }))).status).toBe(400);
  });

  test('setting up a second factor stores the secret sealed for this account', async () => {
    const { app, person, secret } = await withFactor();
    const [row] = await app.db.selectFrom('second_factor').selectAll().execute();
    expect(row?.secret_sealed?.subarray(0, 4).toString()).toBe('vim1');
    expect(row?.secret_sealed?.toString('latin1')).not.toContain(secret);
    expect(row?.pending_sealed).toBeNull();
    expect(JSON.stringify(await person.call(getSecondFactor, {}))).not.toContain(secret);
  });
});

describe('an existing second factor', () => {
  test('an existing second factor is moved to another app with a code of the old one, which works until the new one is confirmed', async () => {
    const { app, person, phone, recoveryCodes } = await withFactor();
    const without = await refusal(person.call(beginSecondFactor, { body: { currentPassword } }));
    expect([without.status, without.body.field]).toEqual([400, 'code']);
    const { secret } = await person.call(beginSecondFactor, { body: { currentPassword, code: phone.code() } });
    app.clock.pass(STEP_MS);
    expect(await isSignedIn(await signIn(app, phone.code()))).toBe(true);

    const newPhone = new Authenticator(secret, app.clock.read);
    const moved = await person.call(confirmSecondFactor, { body: { code: newPhone.code() } });
    app.clock.pass(STEP_MS);
    for (const old of [phone.code(), recoveryCodes[0]])
      expect((await refusal(signIn(app, old))).body.code).toBe('wrong_code');
    expect(await isSignedIn(await signIn(app, newPhone.code()))).toBe(true);
    expect(await isSignedIn(await signIn(app, moved.recoveryCodes[0]))).toBe(true);
    expect(await logged(app)).toEqual([
      'auth: admin set up two-factor sign-in.',
      'auth: admin moved two-factor sign-in to another app.',
    ]);
  });

  test('an existing second factor gets new recovery codes with password and code, and the old ones stop working', async () => {
    const { app, person, phone, recoveryCodes } = await withFactor();
    const body = { currentPassword, code: phone.code() };
    const renewed = await person.call(renewRecoveryCodes, { body });
    expect(await isSignedIn(person)).toBe(true);
    expect((await refusal(signIn(app, recoveryCodes[0]))).body.code).toBe('wrong_code');
    expect(await isSignedIn(await signIn(app, renewed.recoveryCodes[0]))).toBe(true);
    expect(await person.call(getSecondFactor, {})).toMatchObject({ recoveryCodesLeft: 9 });
    expect(await logged(app)).toContain('auth: admin generated new recovery codes.');
  });

  test('an existing second factor is turned off with password and code, which ends the other sessions, and is logged', async () => {
    const { app, person, phone } = await withFactor();
    const other = await signIn(app, phone.code());
    app.clock.pass(STEP_MS);
    const before = person.cookie;
    await person.call(turnOffSecondFactor, { body: { currentPassword, code: phone.code() } });
    expect(person.cookie).not.toBe(before);
    expect(await isSignedIn(person)).toBe(true);
    await until('the other one is signed out', async () => !(await isSignedIn(other)));
    expect(await isSignedIn(await signIn(app))).toBe(true);
    expect(await logged(app)).toContain('auth: admin turned off two-factor sign-in.');
    expect(await app.db.selectFrom('recovery_code').selectAll().execute()).toEqual([]);
  });

  test.each([
    ['the password is wrong', { currentPassword: 'wrong' }, 'currentPassword'],
    ['the code is wrong', { code: 'wrong' }, 'code'],
    ['the code was used before', { code: 'used' }, 'code'],
    ['the code is missing', { code: undefined }, 'code'],
  ])('an existing second factor does not change when %s, and the response names the field', async (_, given, field) => {
    const { app, person, phone } = await withFactor();
    const codes = { wrong: phone.wrongCode(), used: phone.code(-1), right: phone.code() };
    const named = { currentPassword, code: 'right', ...given } as { currentPassword: string; code?: 'right' };
    const body = { ...named, ...(named.code && { code: codes[named.code] }) };
    for (const { path } of [turnOffSecondFactor, renewRecoveryCodes]) {
      const response = await person.request({ method: 'POST', url: path, body });
      expect([response.statusCode, response.json().field]).toEqual([400, field]);
    }
    expect(await isSignedIn(person)).toBe(true);
    expect((await refusal(signIn(app))).body.code).toBe('second_factor_required');
    expect(await person.call(getSecondFactor, {})).toMatchObject({ recoveryCodesLeft: 10 });
  });

  test('must exist before it can be turned off or get new recovery codes', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    for (const endpoint of [turnOffSecondFactor, renewRecoveryCodes]) {
      const refused = await refusal(person.call(endpoint, { body: { currentPassword, code: '123456' } }));
      expect([refused.status, refused.body.message]).toEqual([
        409,
        "Two-factor sign-in isn't set up for this account.",
      ]);
    }
  });

  test('an existing second factor is removed by an administrator, which ends the sessions and is logged', async () => {
    const { app, person } = await withFactor();
    expect(await app.accounts.list()).toMatchObject([{ username: 'admin', hasSecondFactor: true }]);
    await app.accounts.resetSecondFactor('ADMIN');
    await until('they are signed out', async () => !(await isSignedIn(person)));
    expect(await isSignedIn(await signIn(app))).toBe(true);
    expect(await app.accounts.list()).toMatchObject([{ hasSecondFactor: false }]);
    expect(await logged(app, 'reset-second-factor')).toEqual(['system: The second factor of admin was removed.']);
    await expect(app.accounts.resetSecondFactor('admin')).rejects.toThrow('admin has no second factor.');
    await expect(app.accounts.resetSecondFactor('ghost')).rejects.toThrow('No account is named ghost.');
  });
});
