import { describe, expect, test } from 'vitest';
import { getUser, login } from '#contracts/session.ts';
import { type Person, refusal } from '#support/call.ts';
import { setUpFactor } from '#support/second-factor.ts';
import { type SessionApp, startSessionApp } from '#support/session-app.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';

const ADMIN = { username: 'admin', password: 'admin123' };
const STEP_MS = 30_000;

/** An account whose second factor was set up 30 seconds ago. */
async function withFactor() {
  const app = await startSessionApp();
  const person = app.anonymous();
  await person.call(login, { body: ADMIN });
  const factor = await setUpFactor(person, ADMIN.password, app.clock.read);
  app.clock.pass(STEP_MS);
  return { app, person, ...factor };
}

const tryWith = (app: SessionApp, code?: string, more: { password?: string; from?: string } = {}) => {
  const { from = '203.0.113.5', ...body } = more;
  return app.anonymous().request({
    method: 'POST',
    url: login.path,
    body: { ...ADMIN, ...body, ...(code !== undefined && { code }) },
    headers: { 'x-forwarded-for': from },
  });
};

const entriesOf = (app: SessionApp, action: string) =>
  app.db.selectFrom('log_entry').selectAll().where('action', '=', action).orderBy('id').execute();

describe('signing in with a second factor', () => {
  test('the correct password alone gets a request for the code and nothing else', async () => {
    const { app } = await withFactor();
    const response = await tryWith(app);
    expect(response.statusCode).toBe(401);
    expect(response.headers['set-cookie']).toBeUndefined();
    const { requestId: _, ...body } = response.json();
    expect(body).toEqual({ code: 'second_factor_required', message: 'Enter the code from your authenticator app.' });
  });

  test('the current code of the app starts a session', async () => {
    const { app, phone } = await withFactor();
    const person = app.anonymous();
    const user = await person.call(login, { body: { ...ADMIN, code: phone.code() } });
    expect(await person.call(getUser, {})).toEqual(user);
  });

  test('a wrong password gets the same response with a code, without a code, and without a second factor', async () => {
    const { app, phone } = await withFactor();
    await app.accounts.add({ username: 'ann', password: 'ann password' });
    const wrong = [
      await tryWith(app, undefined, { password: 'wrong' }),
      await tryWith(app, phone.code(), { password: 'wrong' }),
      await app.anonymous().request({ method: 'POST', url: login.path, body: { username: 'ann', password: 'wrong' } }),
    ].map((response) => ({ status: response.statusCode, ...response.json(), requestId: undefined }));
    expect(wrong[0]).toMatchObject({ status: 401, code: 'wrong_credentials', message: 'Invalid username or password' });
    expect(wrong).toEqual([wrong[0], wrong[0], wrong[0]]);
    // The attempt with the wrong password has not used up the code.
    expect((await tryWith(app, phone.code())).statusCode).toBe(200);
  });

  test.each([
    [-2, 401],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 401],
  ])('a code that is %i periods of 30 seconds off returns %i', async (steps, status) => {
    const { app, phone } = await withFactor();
    app.clock.pass(10 * STEP_MS);
    expect((await tryWith(app, phone.code(steps))).statusCode).toBe(status);
  });

  test('a code may contain the spaces that apps show', async () => {
    const { app, phone } = await withFactor();
    expect((await tryWith(app, ` ${phone.code().slice(0, 3)} ${phone.code().slice(3)}`)).statusCode).toBe(200);
  });

  test('a code works once, and no earlier code works after it', async () => {
    const { app, phone } = await withFactor();
    app.clock.pass(STEP_MS);
    expect((await tryWith(app, phone.code())).statusCode).toBe(200);
    for (const steps of [0, -1]) {
      const again = await tryWith(app, phone.code(steps));
      expect([again.statusCode, again.json().code]).toEqual([401, 'wrong_code']);
    }
    app.clock.pass(STEP_MS);
    expect((await tryWith(app, phone.code())).statusCode).toBe(200);
  });

  test('the code that confirmed the setup cannot be used to sign in', async () => {
    const { app, phone } = await withFactor();
    expect((await tryWith(app, phone.code(-1))).statusCode).toBe(401);
  });

  test('of concurrent attempts with one code in two processes, exactly one starts a session', async () => {
    const { app, phone } = await withFactor();
    const there = await startSessionApp({ beside: app });
    const code = phone.code();
    // The lock is released when all attempts wait for it.
    const responses = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('second_factor').select('account_id').forUpdate().execute();
      const tries = [app, there, app, there].map((one) => tryWith(one, code));
      await until('all attempts wait', async () => (await waitingSessions(there.db)) === tries.length);
      return tries;
    });
    const statuses = (await Promise.all(responses)).map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
  });

  test('wrong codes are throttled like wrong passwords, and the correct password alone does not reset the count', async () => {
    const { app, phone } = await withFactor();
    for (let n = 0; n < 5; n += 1) {
      expect((await tryWith(app, phone.wrongCode())).json()).toMatchObject({ code: 'wrong_code' });
      if (n < 4) expect((await tryWith(app)).json()).toMatchObject({ code: 'second_factor_required' });
    }
    // One count by name and address, and one for the account's codes.
    const counted = await app.db
      .selectFrom('sign_in_failure')
      .select('failures')
      .where('key', 'like', 'pair:%')
      .execute();
    expect(counted.map(({ failures }) => failures)).toEqual([5, 5]);
    const blocked = await tryWith(app, phone.code());
    expect([blocked.statusCode, blocked.headers['retry-after']]).toEqual([429, '15']);
    app.clock.pass(15_000);
    expect((await tryWith(app, phone.code())).statusCode).toBe(200);
  });

  test('guessing the codes of one account from many addresses is throttled', async () => {
    const { app, phone } = await withFactor();
    for (let n = 0; n < 5; n += 1)
      expect((await tryWith(app, phone.wrongCode(), { from: `10.0.0.${n}` })).statusCode).toBe(401);
    expect((await tryWith(app, phone.wrongCode(), { from: '10.0.0.99' })).statusCode).toBe(429);
    app.clock.pass(15_000);
    expect((await tryWith(app, phone.code(), { from: '10.0.0.99' })).statusCode).toBe(200);
  });

  test('correct passwords without a code cause no wait', async () => {
    const { app, phone } = await withFactor();
    for (let n = 0; n < 8; n += 1) expect((await tryWith(app)).statusCode).toBe(401);
    expect((await tryWith(app, phone.code())).statusCode).toBe(200);
    const left = await app.db.selectFrom('sign_in_failure').select('failures').execute();
    expect(left.map(({ failures }) => failures).every((failures) => failures === 0)).toBe(true);
  });

  test('each outcome is logged, without any code', async () => {
    const { app, phone, recoveryCodes } = await withFactor();
    const before = (await entriesOf(app, 'sign-in')).length;
    const [code, wrong, spare = ''] = [phone.code(), phone.wrongCode(), recoveryCodes[0]];
    for (const given of [undefined, wrong, code, spare]) await tryWith(app, given);
    const entries = (await entriesOf(app, 'sign-in')).slice(before);
    expect(entries.map(({ type, status, summary }) => [type, status, summary])).toEqual([
      ['auth', 'info', 'admin entered the correct password. The second factor is pending.'],
      ['error', 'error', 'admin entered the correct password but a wrong code.'],
      ['auth', 'success', 'admin signed in.'],
      ['auth', 'warning', 'admin signed in with a recovery code.'],
    ]);
    expect(entries[2]?.metadata).toMatchObject({ username: 'admin', address: '203.0.113.5', secondFactor: 'app' });
    for (const secret of [code, wrong, spare]) expect(JSON.stringify(entries)).not.toContain(secret);
  });

  test('a changed password still requires the code', async () => {
    const { app, phone } = await withFactor();
    await app.accounts.changePassword({ username: 'admin', password: 'another password' });
    expect((await tryWith(app, undefined, { password: 'another password' })).json().code).toBe(
      'second_factor_required',
    );
    expect((await tryWith(app, phone.code(), { password: 'another password' })).statusCode).toBe(200);
  });
});

describe('recovery codes', () => {
  test('each start one session, in any spelling', async () => {
    const { app, recoveryCodes } = await withFactor();
    const [first = '', second = ''] = recoveryCodes;
    const typed = ` ${first.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')} `;
    expect((await tryWith(app, typed)).statusCode).toBe(200);
    expect((await tryWith(app, first)).json()).toMatchObject({ code: 'wrong_code' });
    const both = await Promise.all([tryWith(app, second), tryWith(app, second)]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401]);
  });

  test('recovery codes are ten different codes of 120 bits, stored as hashes', async () => {
    const { app, recoveryCodes } = await withFactor();
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{6}-){3}[0-9a-hjkmnp-tv-z]{6}$/);
    const rows = await app.db.selectFrom('recovery_code').select('code_hash').execute();
    expect(rows.map(({ code_hash }) => code_hash.length)).toEqual(Array(10).fill(32));
    const stored = Buffer.concat(rows.map(({ code_hash }) => code_hash)).toString('latin1');
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''));
  });

  test('recovery codes of another account are rejected', async () => {
    const { app } = await withFactor();
    await app.accounts.add({ username: 'ann', password: 'ann password' });
    const ann: Person = app.anonymous();
    await ann.call(login, { body: { username: 'ann', password: 'ann password' } });
    const { recoveryCodes } = await setUpFactor(ann, 'ann password', app.clock.read);
    expect((await tryWith(app, recoveryCodes[0])).json()).toMatchObject({ code: 'wrong_code' });
  });

  test('still work when no key opens the secret of the app, as the error message explains', async () => {
    const { app, phone, recoveryCodes } = await withFactor();
    await app.db
      .updateTable('second_factor')
      .set({ secret_sealed: Buffer.from('sealed with a key that is lost') })
      .execute();
    const refused = await refusal(app.anonymous().call(login, { body: { ...ADMIN, code: phone.code() } }));
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('Use a recovery code')]);
    expect((await tryWith(app, recoveryCodes[0])).statusCode).toBe(200);
  });
});
