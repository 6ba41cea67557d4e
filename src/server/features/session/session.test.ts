import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { getUser, login, logout, logoutEverywhere } from '#contracts/session.ts';
import { createEvents } from '#server/compose-events.ts';
import { announce } from '#server/live/announce.ts';
import { Person, refusal } from '#support/call.ts';
import { announcementsReceived, type SessionApp, startSessionApp } from '#support/session-app.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';
import { keyedHash } from './sessions/session-token.ts';
import { PasswordCheck } from './sign-in/password-check.ts';
import { SignInGate } from './sign-in/sign-in-gate.ts';
import { SignInThrottle } from './sign-in/sign-in-throttle.ts';

const ADMIN = { username: 'admin', password: 'admin123' };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function signIn(app: SessionApp, body: { rememberMe?: boolean } = {}): Promise<Person> {
  const person = app.anonymous();
  await person.call(login, { body: { ...ADMIN, ...body } });
  return person;
}

const isSignedIn = async (person: Person) =>
  (await person.request({ method: 'GET', url: '/api/user' })).statusCode === 200;

const logged = async (app: SessionApp, action: string) => {
  const entries = await app.db.selectFrom('log_entry').select('summary').where('action', '=', action).execute();
  return entries.map(({ summary }) => summary);
};

describe('signing in', () => {
  test('signing in returns the account with its role, as the current user endpoint does afterwards', async () => {
    const person = (await startSessionApp()).anonymous();
    const user = await person.call(login, { body: ADMIN });
    expect(user).toEqual({
      id: expect.any(Number),
      username: 'admin',
      role: 'administrator',
      allFunnels: true,
      funnelIds: [],
    });
    expect(await person.call(getUser, {})).toEqual(user);
  });

  test('signing in ignores the case of the username and returns it as the account spells it', async () => {
    const person = (await startSessionApp()).anonymous();
    expect(await person.call(login, { body: { ...ADMIN, username: ' ADMIN ' } })).toMatchObject({ username: 'admin' });
  });

  test.each([
    ['a wrong password', { ...ADMIN, password: 'admin124' }],
    ['an unknown username', { username: 'ghost', password: 'admin123' }],
    ['a name with control characters', { username: 'ad\u0007min', password: 'admin123' }],
  ])('%s is rejected with 401, the same message, and no `error` field', async (_, body) => {
    const person = (await startSessionApp()).anonymous();
    const response = await person.request({ method: 'POST', url: '/api/login', body });
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({ message: 'Invalid username or password' });
    expect(response.json()).not.toHaveProperty('error');
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  test.each([
    ['username', { username: '  ', password: 'admin123' }],
    ['username', { password: 'admin123' }],
    ['password', { username: 'admin' }],
    ['password', { username: 'admin', password: '' }],
  ])('a missing %s gets 400, and the response names the field', async (field, body) => {
    const person = (await startSessionApp()).anonymous();
    const response = await person.request({ method: 'POST', url: '/api/login', body });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ field, message: expect.stringContaining(field) });
  });

  test('signing in starts a session under a new token and ends the session that the browser had', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    const earlier = new Person(app.app, person.cookie);
    await person.call(login, { body: ADMIN });
    expect(person.cookie).not.toBe(earlier.cookie);
    expect(await isSignedIn(person)).toBe(true);
    expect(await isSignedIn(earlier)).toBe(false);
  });

  test('never adopts a planted token', async () => {
    const app = await startSessionApp();
    const planted = `session=${'A'.repeat(43)}`;
    const victim = new Person(app.app, planted);
    await victim.call(login, { body: ADMIN });
    expect(victim.cookie).not.toBe(planted);
    expect(await isSignedIn(new Person(app.app, planted))).toBe(false);
  });

  test('signing in verifies one password at the same cost for known and unknown names', async () => {
    const app = await startSessionApp();
    const hashes: (string | undefined)[] = [];
    const hash = keyedHash(Buffer.from('a secret of this test'));
    const throttle = new SignInThrottle(app.db, hash, app.clock.read);
    const passwords = new PasswordCheck({
      db: app.db,
      events: createEvents(),
      throttle,
      gate: new SignInGate(throttle),
      hash,
      verify: async (passwordHash) => {
        hashes.push(passwordHash);
        return false;
      },
    });
    for (const username of ['admin', 'ghost', 'ad\u0007min', 'ﬁ'.repeat(200)]) {
      const attempt = passwords.runAuthenticated({ username, password: 'wrong' }, '192.0.2.1', async () => 'signed in');
      await expect(attempt).rejects.toThrow('Invalid');
    }
    // accounts.test.ts shows that the dummy hash costs as much.
    expect(hashes).toEqual([expect.stringMatching(/^\$argon2id\$/), undefined, undefined, undefined]);
  });

  test('signing in stores only a keyed hash of the token in the database', async () => {
    const app = await startSessionApp();
    const token = (await signIn(app)).cookie?.split('=')[1] ?? '';
    const [row] = await app.db.selectFrom('session').selectAll().execute();
    expect(row?.token_hash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(token);
  });

  test('sign-ins, failed sign-ins and sign-outs are logged without the password', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    await person.call(logout, {});
    await refusal(person.call(login, { body: { username: 'ADMIN', password: 'my secret' } }));
    const entries = await app.db
      .selectFrom('log_entry')
      .selectAll()
      .where('action', 'like', 'sign-%')
      .orderBy('id')
      .execute();
    expect(entries.map((entry) => [entry.type, entry.action, entry.status])).toEqual([
      ['auth', 'sign-in', 'success'],
      ['auth', 'sign-out', 'success'],
      ['error', 'sign-in', 'error'],
    ]);
    expect(entries[2]?.summary).toBe('Failed sign-in as admin.');
    expect(JSON.stringify(entries)).not.toMatch(/my secret|admin123|session=/);
  });

  test('a password typed as the username is stored nowhere, and its repetition is recognizable', async () => {
    const app = await startSessionApp();
    for (const username of ['MyRealPassw0rd-Hunter2', 'myrealpassw0rd-hunter2', 'another'])
      await refusal(app.anonymous().call(login, { body: { username, password: 'x' } }));
    const entries = await app.db
      .selectFrom('log_entry')
      .selectAll()
      .where('type', '=', 'error')
      .orderBy('id')
      .execute();
    expect(entries.map(({ summary }) => summary)).toEqual(Array(3).fill('Failed sign-in with an unknown username.'));
    const hashes = entries.map(({ metadata }) => (metadata as { usernameHash: string }).usernameHash);
    expect(hashes).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), hashes[0], expect.not.stringMatching(/^$/)]);
    expect(hashes[2]).not.toBe(hashes[0]);
    const failures = await app.db.selectFrom('sign_in_failure').selectAll().execute();
    expect(JSON.stringify([entries, failures])).not.toMatch(/hunter2|another/i);
  });
});

describe('the session cookie', () => {
  const cookieAfter = async (body: object, headers: Record<string, string> = {}) => {
    const person = (await startSessionApp()).anonymous();
    const response = await person.request({ method: 'POST', url: '/api/login', body: { ...ADMIN, ...body }, headers });
    return String(response.headers['set-cookie']);
  };

  test('the session cookie is HttpOnly and SameSite=Lax, and ends with the browser', async () => {
    expect(await cookieAfter({})).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('the session cookie lasts 30 days with Remember me', async () => {
    expect(await cookieAfter({ rememberMe: true })).toMatch(/; Max-Age=2592000;/);
  });

  test('the session cookie is Secure and bound to this host when the request came over HTTPS', async () => {
    expect(await cookieAfter({}, { 'x-forwarded-proto': 'https' })).toMatch(
      /^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });
});

describe('a session', () => {
  test('a session ends after 12 hours without use, and each use extends it', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    for (let day = 0; day < 3; day += 1) {
      app.clock.pass(11 * HOUR_MS);
      expect(await isSignedIn(person)).toBe(true);
    }
    app.clock.pass(12 * HOUR_MS);
    expect(await isSignedIn(person)).toBe(false);
  });

  test('a session ends after 30 days without use when it is remembered, and use renews its cookie', async () => {
    const app = await startSessionApp();
    const person = await signIn(app, { rememberMe: true });
    app.clock.pass(29 * DAY_MS);
    const renewed = await person.request({ method: 'GET', url: '/api/user' });
    expect(renewed.headers['set-cookie']).toMatch(/Max-Age=2592000/);
    app.clock.pass(29 * DAY_MS);
    expect(await isSignedIn(person)).toBe(true);
    app.clock.pass(30 * DAY_MS);
    expect(await isSignedIn(person)).toBe(false);
  });

  test.each([
    ['without Remember me', 7, { rememberMe: false, pauseMs: 11 * HOUR_MS }],
    ['with Remember me', 90, { rememberMe: true, pauseMs: 7 * DAY_MS }],
  ])('%s ends after %i days even if it is used', async (_, days, { rememberMe, pauseMs }) => {
    const app = await startSessionApp();
    const person = await signIn(app, { rememberMe });
    const end = app.clock.now + days * DAY_MS;
    while (app.clock.now + pauseMs < end) {
      app.clock.pass(pauseMs);
      expect(await isSignedIn(person)).toBe(true);
    }
    app.clock.now = end - 1;
    expect(await isSignedIn(person)).toBe(true);
    app.clock.now = end;
    expect(await isSignedIn(person)).toBe(false);
  });

  test('a session has a cookie that does not outlive it', async () => {
    const app = await startSessionApp();
    const person = await signIn(app, { rememberMe: true });
    for (const days of [29, 58]) {
      app.clock.pass(29 * DAY_MS);
      expect([days, await isSignedIn(person)]).toEqual([days, true]);
    }
    app.clock.pass(22 * DAY_MS);
    const last = await person.request({ method: 'GET', url: '/api/user' });
    expect(last.headers['set-cookie']).toMatch(new RegExp(`Max-Age=${(10 * DAY_MS) / 1_000};`));
    app.clock.pass(2 * DAY_MS);
    expect((await person.request({ method: 'GET', url: '/api/user' })).headers).not.toHaveProperty('set-cookie');
  });

  test('a session is not updated in the database on every request', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    const version = () => sql<{ xmin: string }>`SELECT xmin::text FROM session`.execute(app.db);
    const before = await version();
    app.clock.pass(4 * 60_000);
    await isSignedIn(person);
    expect((await version()).rows).toEqual(before.rows);
    app.clock.pass(2 * 60_000);
    await isSignedIn(person);
    expect((await version()).rows).not.toEqual(before.rows);
  });

  test('a session is read from the cache while announcements are received', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    await isSignedIn(person);
    await app.db.deleteFrom('session').execute();
    expect(await isSignedIn(person)).toBe(true);
    app.clock.pass(60_000);
    expect(await isSignedIn(person)).toBe(false);
  });

  test('a session is deleted and logged when it has expired', async () => {
    const app = await startSessionApp();
    await signIn(app);
    await signIn(app, { rememberMe: true });
    app.clock.pass(DAY_MS);
    await Promise.all([app.sessions.endExpired(), app.sessions.endExpired()]);
    expect(await app.db.selectFrom('session').select('remembered').execute()).toEqual([{ remembered: true }]);
    expect(await logged(app, 'session-expired')).toEqual(['A session of admin expired.']);
  });
});

describe('signing out everywhere', () => {
  test('signing out everywhere ends every session of the account in every process, and no other', async () => {
    const here = await startSessionApp();
    const there = await startSessionApp({ beside: here });
    await here.accounts.add({ username: 'ann', password: 'ann password' });
    const ann = there.anonymous();
    await ann.call(login, { body: { username: 'ann', password: 'ann password' } });
    const [leaving, phone] = [await signIn(here), await signIn(there, { rememberMe: true })];
    const stolen = new Person(here.app, leaving.cookie);
    expect([await isSignedIn(phone), await isSignedIn(ann)]).toEqual([true, true]);

    expect(await leaving.call(logoutEverywhere, {})).toEqual({ message: 'Signed out everywhere' });
    expect(leaving.cookie).toBeUndefined();
    expect(await isSignedIn(stolen)).toBe(false);
    await announcementsReceived(there);
    expect(await isSignedIn(phone)).toBe(false);
    expect(await isSignedIn(ann)).toBe(true);
    expect(await isSignedIn(await signIn(here))).toBe(true);
  });

  test('signing out everywhere is logged once, with the number of sessions', async () => {
    const app = await startSessionApp();
    const [person] = [await signIn(app), await signIn(app)];
    await person.call(logoutEverywhere, {});
    expect(await logged(app, 'sign-out-everywhere')).toEqual(['admin was signed out everywhere.']);
    const [entry] = await app.db.selectFrom('log_entry').select('metadata').orderBy('id', 'desc').limit(1).execute();
    expect(entry?.metadata).toEqual({ username: 'admin', sessions: 2 });
  });
});

describe('signing out', () => {
  test('signing out ends the session, clears the cookie, and may be repeated', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    const stolen = new Person(app.app, person.cookie);
    const response = await person.request({ method: 'POST', url: '/api/logout' });
    expect(response.headers['set-cookie']).toMatch(/^session=; .*Expires=Thu, 01 Jan 1970/);
    expect(response.headers['clear-site-data']).toBe('"cache"');
    expect(await isSignedIn(stolen)).toBe(false);
    expect(await stolen.call(logout, {})).toEqual({ message: 'Signed out' });
    expect(await app.anonymous().call(logout, {})).toEqual({ message: 'Signed out' });
  });

  test('a sign-out from another site is rejected', async () => {
    const person = await signIn(await startSessionApp());
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await person.request({ method: 'POST', url: '/api/logout', headers })).statusCode).toBe(403);
    expect(await isSignedIn(person)).toBe(true);
  });

  test('signing out takes effect immediately in every process', async () => {
    const here = await startSessionApp();
    const there = await startSessionApp({ beside: here });
    const person = await signIn(here);
    const elsewhere = new Person(there.app, person.cookie);
    expect(await isSignedIn(elsewhere)).toBe(true);
    await person.call(logout, {});
    await announcementsReceived(there);
    expect(await isSignedIn(elsewhere)).toBe(false);
  });

  test('signing out takes effect in a process that receives no announcements at the moment', async () => {
    const here = await startSessionApp();
    const person = await signIn(here);
    expect(await isSignedIn(person)).toBe(true);
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE application_name = 'interviews live' AND datname = current_database()`.execute(here.db);
    await until('the process has lost its announcements', () => !here.bus.connected);
    await here.db.deleteFrom('session').execute();
    expect(await isSignedIn(person)).toBe(false);
  });

  test('signing out wins over a query that began before it and returns after it', async () => {
    const app = await startSessionApp();
    const person = await signIn(app);
    const hash = keyedHash(Buffer.from('a secret of the tests'))(person.cookie?.split('=')[1] ?? '');
    const heard = new Promise((resolve) => app.bus.on('session', resolve));
    const other = await startSessionApp({ beside: app });

    const query = await other.db.transaction().execute(async (tx) => {
      await sql`LOCK TABLE session IN ACCESS EXCLUSIVE MODE`.execute(tx);
      const pending = isSignedIn(person);
      await until('the query waits', async () => (await waitingSessions(app.db)) > 0);
      await announce(other.db, 'session', hash);
      await heard;
      return { pending };
    });
    expect(await query.pending).toBe(true);
    await app.db.deleteFrom('session').execute();
    expect(await isSignedIn(person)).toBe(false);
  });
});
