import { describe, expect, test } from 'vitest';
import { changePassword, getUser, login } from '#contracts/session.ts';
import { aSignedIn } from '#support/a-signed-in.ts';
import { Person, refusal } from '#support/call.ts';
import { setUpFactor } from '#support/second-factor.ts';
import { announcementsReceived, type SessionApp, startSessionApp } from '#support/session-app.ts';
import { until } from '#support/until.ts';

const ADMIN = { username: 'admin', password: 'admin123' };
const NEW = 'correct horse battery';
const RIGHT = { currentPassword: ADMIN.password, newPassword: NEW };

async function signIn(app: SessionApp, body: { rememberMe?: boolean; password?: string } = {}): Promise<Person> {
  const person = app.anonymous();
  await person.call(login, { body: { ...ADMIN, ...body } });
  return person;
}

const isSignedIn = async (person: Person) =>
  (await person.request({ method: 'GET', url: '/api/user' })).statusCode === 200;

describe('changing your own password', () => {
  test('changing your own password keeps the caller signed in under a new token and ends all their other sessions, in every process', async () => {
    const here = await startSessionApp();
    const there = await startSessionApp({ beside: here });
    await here.accounts.add({ username: 'ann', password: 'ann password' });
    const ann = there.anonymous();
    await ann.call(login, { body: { username: 'ann', password: 'ann password' } });
    const [person, phone] = [await signIn(here), await signIn(there)];
    const stolen = new Person(there.app, person.cookie);
    for (const one of [phone, stolen, ann]) expect(await isSignedIn(one)).toBe(true);

    expect(await person.call(changePassword, { body: RIGHT })).toEqual({ message: 'Password changed' });
    expect(person.cookie).not.toBe(stolen.cookie);
    expect(await person.call(getUser, {})).toMatchObject({ username: 'admin' });
    await announcementsReceived(there);
    expect(await isSignedIn(phone)).toBe(false);
    // The caller's old token ends after the response with the new one was sent.
    await until('the old token has ended', async () => !(await isSignedIn(stolen)));
    expect(await isSignedIn(ann)).toBe(true);

    expect((await refusal(signIn(here))).status).toBe(401);
    expect(await isSignedIn(await signIn(there, { password: NEW }))).toBe(true);
  });

  test.each([
    [true, /Max-Age=2592000/],
    [false, /^(?!.*Max-Age)/],
  ])('the new session is remembered if the old one was (%s)', async (rememberMe, cookie) => {
    const app = await startSessionApp();
    const person = await signIn(app, { rememberMe });
    const response = await person.request({ method: 'POST', url: changePassword.path, body: RIGHT });
    expect(String(response.headers['set-cookie'])).toMatch(cookie);
  });

  test.each([
    ['the current one is wrong', { ...RIGHT, currentPassword: 'admin124' }, 'currentPassword', /password is incorrect/],
    ['the current one is missing', { newPassword: NEW }, 'currentPassword', /required|expected/i],
    ['the new one is short', { ...RIGHT, newPassword: 'short' }, 'newPassword', /8 to 1000/],
    ['the new one is common', { ...RIGHT, newPassword: 'Password' }, 'newPassword', /too common/],
    ['the new one is the name', { ...RIGHT, newPassword: 'admin-admin-1' }, 'newPassword', /similar to the username/],
  ])('nothing changes when %s, and the response names the field', async (_, body, field, message) => {
    const app = await startSessionApp();
    const person = await signIn(app);
    const response = await person.request({ method: 'POST', url: changePassword.path, body });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ field, message: expect.stringMatching(message) });
    expect(await isSignedIn(person)).toBe(true);
    expect(await isSignedIn(await signIn(app))).toBe(true);
  });

  test('the new password must differ from the current one', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    await person.call(changePassword, { body: RIGHT });
    const same = await refusal(person.call(changePassword, { body: { currentPassword: NEW, newPassword: NEW } }));
    expect(same.body).toMatchObject({ field: 'newPassword', message: "That's already your password." });
  });

  test('a password change does not revive a session that has ended since', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    const changing = person.request({ method: 'POST', url: changePassword.path, body: RIGHT });
    // Now the password is being verified.
    await until(
      'the attempt is counted',
      async () => (await app.db.selectFrom('sign_in_failure').select('key').execute()).length > 1,
    );
    await app.db.deleteFrom('session').execute();
    expect((await changing).statusCode).toBe(401);
    expect(await isSignedIn(await signIn(app))).toBe(true);
  });

  test('guessing the current password is throttled like a sign-in', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    const guess = (currentPassword: string) =>
      person
        .request({ method: 'POST', url: changePassword.path, body: { currentPassword, newPassword: NEW } })
        .then(({ statusCode, headers }) => [statusCode, headers['retry-after'] !== undefined]);
    for (let n = 0; n < 5; n += 1) expect(await guess(`guess ${n}`)).toEqual([400, false]);
    expect(await guess(ADMIN.password)).toEqual([429, true]);
    app.clock.pass(20_000);
    expect(await guess(ADMIN.password)).toEqual([200, false]);
  });

  test('changing your own password asks for a code of the second factor too, if the account has one', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    const { phone } = await setUpFactor(person, ADMIN.password, app.clock.read);
    app.clock.pass(60_000);
    for (const [code, message] of [
      [undefined, 'Enter the code from your authenticator app.'],
      [phone.wrongCode(), 'That code is wrong or already used. Wait for the next one.'],
    ] as const) {
      const body = { ...RIGHT, ...(code && { code }) };
      const refused = await refusal(person.call(changePassword, { body }));
      expect(refused).toMatchObject({ status: 400, body: { field: 'code', message } });
    }
    expect(await person.call(changePassword, { body: { ...RIGHT, code: phone.code() } })).toMatchObject({});
    expect(await isSignedIn(person)).toBe(true);
  });

  test('changing your own password ends the replaced session within a minute even if the server stops before it has responded', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    const { id, username } = await person.call(getUser, {});
    const token = person.cookie?.split('=')[1] ?? '';
    const caller = {
      signedIn: aSignedIn({ accountId: id, username }),
      token,
      address: '203.0.113.5',
      device: 'Firefox on Linux',
    };
    await app.signIn.ownPassword.changePassword(RIGHT, caller);
    app.clock.pass(59_000);
    expect(await isSignedIn(person)).toBe(true);
    app.clock.pass(2_000);
    expect(await isSignedIn(person)).toBe(false);
    await app.sessions.endExpired();
    const ended = await app.db.selectFrom('log_entry').select('id').where('action', '=', 'session-expired').execute();
    expect(ended).toEqual([]);
    expect(await app.db.selectFrom('session').select('is_replaced').execute()).toEqual([{ is_replaced: false }]);
  });

  test('of two concurrent changes of a password one succeeds', async () => {
    const app = await startSessionApp();
    const [one, other] = [await signIn(app), await signIn(app)];
    const change = (person: Person, newPassword: string) =>
      person
        .request({ method: 'POST', url: changePassword.path, body: { ...RIGHT, newPassword } })
        .then(({ statusCode }) => statusCode);
    const statuses = await Promise.all([change(one, 'the first of two'), change(other, 'the second of two')]);
    // The other finds its current password wrong, or its session already ended.
    expect([
      [200, 400],
      [200, 401],
    ]).toContainEqual(statuses.toSorted());
    const winner = statuses[0] === 200 ? 'the first of two' : 'the second of two';
    expect(await isSignedIn(await signIn(app, { password: winner }))).toBe(true);
  });

  test('changing your own password is logged like a wrong current password, without any password', async () => {
    const app = await startSessionApp();
    const [person] = [await signIn(app), await signIn(app)];
    await refusal(person.call(changePassword, { body: { ...RIGHT, currentPassword: 'my secret' } }));
    await person.call(changePassword, { body: RIGHT });
    const entries = await app.db
      .selectFrom('log_entry')
      .selectAll()
      .where('action', '=', 'change-password')
      .orderBy('id')
      .execute();
    expect(entries.map(({ type, status, summary }) => [type, status, summary])).toEqual([
      ['error', 'error', 'admin entered a wrong current password.'],
      ['auth', 'success', 'admin changed their password.'],
    ]);
    expect(entries[1]?.metadata).toMatchObject({ username: 'admin', otherSessions: 1 });
    expect(JSON.stringify(entries)).not.toMatch(/my secret|admin123|correct horse/);
  });
});
