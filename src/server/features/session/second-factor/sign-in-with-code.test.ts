import { describe, expect, test } from 'vitest';
import { getUser, login } from '#contracts/session.ts';
import { type Person, refusal } from '#support/call.ts';
import { setUpFactor } from '#support/second-factor.ts';
import { type SessionApp, startSessionApp } from '#support/session-app.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';

const ADMIN = { username: 'admin', password: 'admin123' };
const STEP_MS = 30_000;

/** An account with a second factor, 30 seconds after its set-up. */
async function withFactor() {
  const on = await startSessionApp();
  const person = on.anonymous();
  await person.call(login, { body: ADMIN });
  const factor = await setUpFactor(person, ADMIN.password, on.clock.read);
  on.clock.pass(STEP_MS);
  return { on, person, ...factor };
}

const tryWith = (on: SessionApp, code?: string, more: { password?: string; from?: string } = {}) => {
  const { from = '203.0.113.5', ...body } = more;
  return on.anonymous().request({
    method: 'POST',
    url: login.path,
    body: { ...ADMIN, ...body, ...(code !== undefined && { code }) },
    headers: { 'x-forwarded-for': from },
  });
};

const entriesOf = (on: SessionApp, action: string) =>
  on.db.selectFrom('log_entry').selectAll().where('action', '=', action).orderBy('id').execute();

describe('signing in with a second factor', () => {
  test('the right password asks for the code, and says nothing else', async () => {
    const { on } = await withFactor();
    const answer = await tryWith(on);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const { requestId: _, ...body } = answer.json();
    expect(body).toEqual({ code: 'second_factor_required', message: 'Enter the code of your authenticator app.' });
  });

  test('with the code that the app shows it opens a session', async () => {
    const { on, phone } = await withFactor();
    const person = on.anonymous();
    const user = await person.call(login, { body: { ...ADMIN, code: phone.code() } });
    expect(await person.call(getUser, {})).toEqual(user);
  });

  test('a wrong password is answered as where there is no second factor, with a code and without', async () => {
    const { on, phone } = await withFactor();
    await on.accounts.add({ username: 'ann', password: 'ann password' });
    const wrong = [
      await tryWith(on, undefined, { password: 'wrong' }),
      await tryWith(on, phone.code(), { password: 'wrong' }),
      await on.anonymous().request({ method: 'POST', url: login.path, body: { username: 'ann', password: 'wrong' } }),
    ].map((answer) => ({ status: answer.statusCode, ...answer.json(), requestId: undefined }));
    expect(wrong[0]).toMatchObject({ status: 401, code: 'wrong_credentials', message: 'Invalid username or password' });
    expect(wrong).toEqual([wrong[0], wrong[0], wrong[0]]);
    // The code of the try with the wrong password was not used up by it.
    expect((await tryWith(on, phone.code())).statusCode).toBe(200);
  });

  test.each([
    [-2, 401],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 401],
  ])('the code of %i times 30 seconds from now is answered with %i', async (steps, status) => {
    const { on, phone } = await withFactor();
    on.clock.pass(10 * STEP_MS);
    expect((await tryWith(on, phone.code(steps))).statusCode).toBe(status);
  });

  test('a code may be typed in the groups in which apps show it', async () => {
    const { on, phone } = await withFactor();
    expect((await tryWith(on, ` ${phone.code().slice(0, 3)} ${phone.code().slice(3)}`)).statusCode).toBe(200);
  });

  test('a code is good once, and no earlier one after it', async () => {
    const { on, phone } = await withFactor();
    on.clock.pass(STEP_MS);
    expect((await tryWith(on, phone.code())).statusCode).toBe(200);
    for (const steps of [0, -1]) {
      const again = await tryWith(on, phone.code(steps));
      expect([again.statusCode, again.json().code]).toEqual([401, 'wrong_code']);
    }
    on.clock.pass(STEP_MS);
    expect((await tryWith(on, phone.code())).statusCode).toBe(200);
  });

  test('the code that confirmed the set-up opens nothing more', async () => {
    const { on, phone } = await withFactor();
    expect((await tryWith(on, phone.code(-1))).statusCode).toBe(401);
  });

  test('of many tries with one code at the same moment, in two processes, one opens a session', async () => {
    const { on, phone } = await withFactor();
    const there = await startSessionApp({ beside: on });
    const code = phone.code();
    // All are let go on together, when each has come as far as it can.
    const answers = await on.db.transaction().execute(async (tx) => {
      await tx.selectFrom('second_factor').select('account_id').forUpdate().execute();
      const tries = [on, there, on, there].map((one) => tryWith(one, code));
      await until('all are waiting', async () => (await waitingSessions(there.db)) === tries.length);
      return tries;
    });
    const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
  });

  test('wrong codes are slowed down as wrong passwords are, and the right password alone does not begin anew', async () => {
    const { on, phone } = await withFactor();
    for (let n = 0; n < 5; n += 1) {
      expect((await tryWith(on, phone.wrongCode())).json()).toMatchObject({ code: 'wrong_code' });
      if (n < 4) expect((await tryWith(on)).json()).toMatchObject({ code: 'second_factor_required' });
    }
    // By name and address, and of the account's codes.
    const counted = await on.db
      .selectFrom('sign_in_failure')
      .select('failures')
      .where('key', 'like', 'pair:%')
      .execute();
    expect(counted.map(({ failures }) => failures)).toEqual([5, 5]);
    const blocked = await tryWith(on, phone.code());
    expect([blocked.statusCode, blocked.headers['retry-after']]).toEqual([429, '15']);
    on.clock.pass(15_000);
    expect((await tryWith(on, phone.code())).statusCode).toBe(200);
  });

  test('codes of one account are guessed no faster from many addresses', async () => {
    const { on, phone } = await withFactor();
    for (let n = 0; n < 5; n += 1)
      expect((await tryWith(on, phone.wrongCode(), { from: `10.0.0.${n}` })).statusCode).toBe(401);
    expect((await tryWith(on, phone.wrongCode(), { from: '10.0.0.99' })).statusCode).toBe(429);
    on.clock.pass(15_000);
    expect((await tryWith(on, phone.code(), { from: '10.0.0.99' })).statusCode).toBe(200);
  });

  test('right passwords without a code hold nobody up', async () => {
    const { on, phone } = await withFactor();
    for (let n = 0; n < 8; n += 1) expect((await tryWith(on)).statusCode).toBe(401);
    expect((await tryWith(on, phone.code())).statusCode).toBe(200);
    const left = await on.db.selectFrom('sign_in_failure').select('failures').execute();
    expect(left.map(({ failures }) => failures).every((failures) => failures === 0)).toBe(true);
  });

  test('is logged with what was given, and no code', async () => {
    const { on, phone, recoveryCodes } = await withFactor();
    const before = (await entriesOf(on, 'sign-in')).length;
    const [code, wrong, spare = ''] = [phone.code(), phone.wrongCode(), recoveryCodes[0]];
    for (const given of [undefined, wrong, code, spare]) await tryWith(on, given);
    const entries = (await entriesOf(on, 'sign-in')).slice(before);
    expect(entries.map(({ type, status, summary }) => [type, status, summary])).toEqual([
      ['auth', 'info', 'The password of admin was given; the second factor is asked for.'],
      ['error', 'error', 'The password of admin was given with a wrong code.'],
      ['auth', 'success', 'admin signed in.'],
      ['auth', 'warning', 'admin signed in with a recovery code.'],
    ]);
    expect(entries[2]?.metadata).toMatchObject({ username: 'admin', address: '203.0.113.5', secondFactor: 'app' });
    for (const secret of [code, wrong, spare]) expect(JSON.stringify(entries)).not.toContain(secret);
  });

  test('a password that is changed asks for the code as before', async () => {
    const { on, phone } = await withFactor();
    await on.accounts.changePassword({ username: 'admin', password: 'another password' });
    expect((await tryWith(on, undefined, { password: 'another password' })).json().code).toBe('second_factor_required');
    expect((await tryWith(on, phone.code(), { password: 'another password' })).statusCode).toBe(200);
  });
});

describe('recovery codes', () => {
  test('open a session once each, however they are typed', async () => {
    const { on, recoveryCodes } = await withFactor();
    const [first = '', second = ''] = recoveryCodes;
    const typed = ` ${first.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')} `;
    expect((await tryWith(on, typed)).statusCode).toBe(200);
    expect((await tryWith(on, first)).json()).toMatchObject({ code: 'wrong_code' });
    const both = await Promise.all([tryWith(on, second), tryWith(on, second)]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401]);
  });

  test('are ten of 120 bits each, all different, and stored as hashes', async () => {
    const { on, recoveryCodes } = await withFactor();
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{6}-){3}[0-9a-hjkmnp-tv-z]{6}$/);
    const rows = await on.db.selectFrom('recovery_code').select('code_hash').execute();
    expect(rows.map(({ code_hash }) => code_hash.length)).toEqual(Array(10).fill(32));
    const stored = Buffer.concat(rows.map(({ code_hash }) => code_hash)).toString('latin1');
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''));
  });

  test('of somebody else open nothing', async () => {
    const { on } = await withFactor();
    await on.accounts.add({ username: 'ann', password: 'ann password' });
    const ann: Person = on.anonymous();
    await ann.call(login, { body: { username: 'ann', password: 'ann password' } });
    const { recoveryCodes } = await setUpFactor(ann, 'ann password', on.clock.read);
    expect((await tryWith(on, recoveryCodes[0])).json()).toMatchObject({ code: 'wrong_code' });
  });

  test('still open a session when no key opens the secret of the app, which is said', async () => {
    const { on, phone, recoveryCodes } = await withFactor();
    await on.db
      .updateTable('second_factor')
      .set({ secret_sealed: Buffer.from('sealed with a key that is lost') })
      .execute();
    const said = await refusal(on.anonymous().call(login, { body: { ...ADMIN, code: phone.code() } }));
    expect([said.status, said.body.message]).toEqual([409, expect.stringContaining('Use a recovery code')]);
    expect((await tryWith(on, recoveryCodes[0])).statusCode).toBe(200);
  });
});
