import { describe, expect, test } from 'vitest';
import {
  beginRequiredFactor,
  beginSecondFactor,
  confirmRequiredFactor,
  confirmSecondFactor,
  getSecondFactor,
  turnOffSecondFactor,
} from '#contracts/second-factor.ts';
import { getUser, login } from '#contracts/session.ts';
import { refusal } from '#support/call.ts';
import { Authenticator } from '#support/second-factor.ts';
import { startSessionApp } from '#support/session-app.ts';
import { until } from '#support/until.ts';

const ADMIN = { username: 'admin', password: 'admin123' };
const STEP_MS = 30_000;

describe('when a second factor is required', () => {
  test('the correct password of an account without one opens the setup, and no session starts before its end', async () => {
    const on = await startSessionApp({ secondFactor: 'required' });
    const person = on.anonymous();
    expect((await refusal(person.call(login, { body: ADMIN }))).body.code).toBe('second_factor_setup_required');
    const { secret } = await person.call(beginRequiredFactor, { body: ADMIN });
    expect(person.cookie).toBeUndefined();
    const phone = new Authenticator(secret, on.clock.read);

    const wrong = { ...ADMIN, code: phone.wrongCode() };
    expect((await refusal(person.call(confirmRequiredFactor, { body: wrong }))).body.code).toBe('wrong_code');
    for (const code of [undefined, phone.code()])
      expect((await refusal(person.call(login, { body: { ...ADMIN, code } }))).body.code).toBe(
        'second_factor_setup_required',
      );
    expect(await on.db.selectFrom('session').selectAll().execute()).toEqual([]);

    const { user, recoveryCodes } = await person.call(confirmRequiredFactor, {
      body: { ...ADMIN, code: phone.code() },
    });
    expect(await person.call(getUser, {})).toEqual(user);
    expect(recoveryCodes).toHaveLength(10);
    on.clock.pass(STEP_MS);
    for (const code of [phone.code(), recoveryCodes[0]]) await on.anonymous().call(login, { body: { ...ADMIN, code } });
    const entries = await on.db.selectFrom('log_entry').select('summary').where('type', '=', 'auth').execute();
    expect(entries).toContainEqual({ summary: 'admin set up two-factor sign-in and signed in.' });
  });

  test.each([beginRequiredFactor, confirmRequiredFactor])(
    'a wrong password learns nothing from $path and is throttled',
    async (endpoint) => {
      const on = await startSessionApp({ secondFactor: 'required' });
      const wrong = { ...ADMIN, password: 'wrong', code: '123456' };
      const send = () => on.anonymous().request({ method: 'POST', url: endpoint.path, body: wrong });
      for (let n = 0; n < 5; n += 1) {
        const response = await send();
        expect([response.statusCode, response.json().code]).toEqual([401, 'wrong_credentials']);
      }
      expect((await send()).statusCode).toBe(429);
    },
  );

  test('guessing the first code is throttled like guessing a password', async () => {
    const on = await startSessionApp({ secondFactor: 'required' });
    const { secret } = await on.anonymous().call(beginRequiredFactor, { body: ADMIN });
    const phone = new Authenticator(secret, on.clock.read);
    const confirm = (code: string) =>
      on.anonymous().request({ method: 'POST', url: confirmRequiredFactor.path, body: { ...ADMIN, code } });
    for (let n = 0; n < 5; n += 1) expect((await confirm(phone.wrongCode())).statusCode).toBe(401);
    expect((await confirm(phone.code())).statusCode).toBe(429);
  });

  test('an account that has one cannot be set up again with the password alone', async () => {
    const on = await startSessionApp({ secondFactor: 'required' });
    const { secret } = await on.anonymous().call(beginRequiredFactor, { body: ADMIN });
    const phone = new Authenticator(secret, on.clock.read);
    await on.anonymous().call(confirmRequiredFactor, { body: { ...ADMIN, code: phone.code() } });
    on.clock.pass(STEP_MS);
    expect((await refusal(on.anonymous().call(beginRequiredFactor, { body: ADMIN }))).status).toBe(409);
    const again = { ...ADMIN, code: phone.code() };
    expect((await refusal(on.anonymous().call(confirmRequiredFactor, { body: again }))).status).toBe(409);
  });

  test('it can be moved to another app but not turned off', async () => {
    const on = await startSessionApp({ secondFactor: 'required' });
    const person = on.anonymous();
    const { secret } = await person.call(beginRequiredFactor, { body: ADMIN });
    const phone = new Authenticator(secret, on.clock.read);
    await person.call(confirmRequiredFactor, { body: { ...ADMIN, code: phone.code() } });
    expect(await person.call(getSecondFactor, {})).toMatchObject({ required: true, recoveryCodesLeft: 10 });
    on.clock.pass(STEP_MS);
    const proof = { currentPassword: ADMIN.password, code: phone.code() };
    expect((await refusal(person.call(turnOffSecondFactor, { body: proof }))).status).toBe(409);
    const moved = await person.call(beginSecondFactor, { body: proof });
    const code = new Authenticator(moved.secret, on.clock.read).code();
    await person.call(confirmSecondFactor, { body: { code } });
  });

  test('earlier sessions end with the setup', async () => {
    const before = await startSessionApp();
    const early = before.anonymous();
    await early.call(login, { body: ADMIN });
    const on = await startSessionApp({ beside: before, secondFactor: 'required' });
    const { secret } = await on.anonymous().call(beginRequiredFactor, { body: ADMIN });
    const code = new Authenticator(secret, on.clock.read).code();
    await on.anonymous().call(confirmRequiredFactor, { body: { ...ADMIN, code } });
    await until(
      'the early session has ended',
      async () => (await early.request({ method: 'GET', url: getUser.path })).statusCode === 401,
    );
  });

  test('a second factor that is optional cannot be set up with the password alone', async () => {
    const on = await startSessionApp();
    expect((await refusal(on.anonymous().call(beginRequiredFactor, { body: ADMIN }))).status).toBe(409);
    await on.anonymous().call(login, { body: ADMIN });
  });
});
