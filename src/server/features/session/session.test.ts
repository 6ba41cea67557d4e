import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { getUser, login, logout, logoutEverywhere } from '#contracts/session.ts';
import { openLogs } from '#server/features/logs/logs.service.ts';
import { Person, refusal } from '#support/call.ts';
import { everythingHeard } from '#support/everything-heard.ts';
import { type SessionApp, startSessionApp } from '#support/session-app.ts';
import { until } from '#support/until.ts';
import { PasswordCheck } from './password-check.ts';
import { announceSessionEnd } from './session-ended.ts';
import { keyedHash } from './session-token.ts';
import { SignInThrottle } from './sign-in-throttle.ts';

const ADMIN = { username: 'admin', password: 'admin123' };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function signIn(on: SessionApp, body: { rememberMe?: boolean } = {}): Promise<Person> {
  const person = on.anonymous();
  await person.call(login, { body: { ...ADMIN, ...body } });
  return person;
}

const isSignedIn = async (person: Person) =>
  (await person.request({ method: 'GET', url: '/api/user' })).statusCode === 200;

const logged = async (on: SessionApp, action: string) => {
  const entries = await on.db.selectFrom('log_entry').select('summary').where('action', '=', action).execute();
  return entries.map(({ summary }) => summary);
};

describe('signing in', () => {
  test('answers id and username, and so does the current user afterwards', async () => {
    const person = (await startSessionApp()).anonymous();
    const user = await person.call(login, { body: ADMIN });
    expect(user).toEqual({ id: expect.any(Number), username: 'admin' });
    expect(await person.call(getUser, {})).toEqual(user);
  });

  test('takes the name without regard to its case and answers it as the account spells it', async () => {
    const person = (await startSessionApp()).anonymous();
    expect(await person.call(login, { body: { ...ADMIN, username: ' ADMIN ' } })).toMatchObject({ username: 'admin' });
  });

  test.each([
    ['a wrong password', { ...ADMIN, password: 'admin124' }],
    ['an unknown name', { username: 'nobody', password: 'admin123' }],
    ['a name with control characters', { username: 'ad\u0007min', password: 'admin123' }],
  ])('%s is refused with 401, the same message, and no `error` field', async (_, body) => {
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
  ])('a missing %s is 400 and named', async (field, body) => {
    const person = (await startSessionApp()).anonymous();
    const response = await person.request({ method: 'POST', url: '/api/login', body });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ field, message: expect.stringContaining(field) });
  });

  test('always begins a session under a new token and ends the one the browser came with', async () => {
    const on = await startSessionApp();
    const person = await signIn(on);
    const earlier = new Person(on.app, person.cookie);
    await person.call(login, { body: ADMIN });
    expect(person.cookie).not.toBe(earlier.cookie);
    expect(await isSignedIn(person)).toBe(true);
    expect(await isSignedIn(earlier)).toBe(false);
  });

  test('never takes over a token that somebody planted', async () => {
    const on = await startSessionApp();
    const planted = `session=${'A'.repeat(43)}`;
    const victim = new Person(on.app, planted);
    await victim.call(login, { body: ADMIN });
    expect(victim.cookie).not.toBe(planted);
    expect(await isSignedIn(new Person(on.app, planted))).toBe(false);
  });

  test('verifies one password, at the same cost, whether somebody has that name or nobody', async () => {
    const on = await startSessionApp();
    const hashes: (string | undefined)[] = [];
    const hash = keyedHash(Buffer.from('a secret of this test'));
    const passwords = new PasswordCheck({
      db: on.db,
      logs: openLogs(on.db, 365),
      throttle: new SignInThrottle(on.db, hash, on.clock.read),
      verify: async (passwordHash) => {
        hashes.push(passwordHash);
        return false;
      },
    });
    for (const username of ['admin', 'nobody', 'ad\u0007min', 'ﬁ'.repeat(200)]) {
      await expect(passwords.demand({ username, password: 'wrong' }, '192.0.2.1')).rejects.toThrow('Invalid');
    }
    // What stands for nobody's hash costs as much: accounts.test.ts.
    expect(hashes).toEqual([expect.stringMatching(/^\$argon2id\$/), undefined, undefined, undefined]);
  });

  test('stores only a keyed hash of the token', async () => {
    const on = await startSessionApp();
    const token = (await signIn(on)).cookie?.split('=')[1] ?? '';
    const [row] = await on.db.selectFrom('session').selectAll().execute();
    expect(row?.token_hash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(token);
  });

  test('is logged, and so are a failed one and signing out, without the password', async () => {
    const on = await startSessionApp();
    const person = await signIn(on);
    await person.call(logout, {});
    const typed = `ad\u202Emin\n${'x'.repeat(100)}`;
    await refusal(person.call(login, { body: { username: typed, password: 'my secret' } }));
    const entries = await on.db
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
    expect(entries[2]?.summary).toMatch(/^Failed sign-in as ad\u{fffd}min\u{fffd}x{50,}…\.$/u);
    expect(JSON.stringify(entries)).not.toMatch(/my secret|admin123|session=/);
  });
});

describe('the cookie', () => {
  const cookieAfter = async (body: object, headers: Record<string, string> = {}) => {
    const person = (await startSessionApp()).anonymous();
    const response = await person.request({ method: 'POST', url: '/api/login', body: { ...ADMIN, ...body }, headers });
    return String(response.headers['set-cookie']);
  };

  test('is HttpOnly and SameSite=Lax, and ends with the browser', async () => {
    expect(await cookieAfter({})).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('lasts 30 days with Remember me', async () => {
    expect(await cookieAfter({ rememberMe: true })).toMatch(/; Max-Age=2592000;/);
  });

  test('is Secure and bound to this host when the request came over HTTPS', async () => {
    expect(await cookieAfter({}, { 'x-forwarded-proto': 'https' })).toMatch(
      /^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });
});

describe('a session', () => {
  test('ends after 12 hours without use, and use keeps it', async () => {
    const on = await startSessionApp();
    const person = await signIn(on);
    for (let day = 0; day < 3; day += 1) {
      on.clock.pass(11 * HOUR_MS);
      expect(await isSignedIn(person)).toBe(true);
    }
    on.clock.pass(12 * HOUR_MS);
    expect(await isSignedIn(person)).toBe(false);
  });

  test('that is remembered ends after 30 days without use, and use renews the cookie too', async () => {
    const on = await startSessionApp();
    const person = await signIn(on, { rememberMe: true });
    on.clock.pass(29 * DAY_MS);
    const renewed = await person.request({ method: 'GET', url: '/api/user' });
    expect(renewed.headers['set-cookie']).toMatch(/Max-Age=2592000/);
    on.clock.pass(29 * DAY_MS);
    expect(await isSignedIn(person)).toBe(true);
    on.clock.pass(30 * DAY_MS);
    expect(await isSignedIn(person)).toBe(false);
  });

  test.each([
    ['without Remember me', 7, { rememberMe: false, pauseMs: 11 * HOUR_MS }],
    ['with Remember me', 90, { rememberMe: true, pauseMs: 7 * DAY_MS }],
  ])('%s ends after %i days, however much it is used', async (_, days, { rememberMe, pauseMs }) => {
    const on = await startSessionApp();
    const person = await signIn(on, { rememberMe });
    const end = on.clock.now + days * DAY_MS;
    while (on.clock.now + pauseMs < end) {
      on.clock.pass(pauseMs);
      expect(await isSignedIn(person)).toBe(true);
    }
    on.clock.now = end - 1;
    expect(await isSignedIn(person)).toBe(true);
    on.clock.now = end;
    expect(await isSignedIn(person)).toBe(false);
  });

  test('that is remembered gives its cookie no more days than it has itself', async () => {
    const on = await startSessionApp();
    const person = await signIn(on, { rememberMe: true });
    for (const days of [29, 58]) {
      on.clock.pass(29 * DAY_MS);
      expect([days, await isSignedIn(person)]).toEqual([days, true]);
    }
    on.clock.pass(22 * DAY_MS);
    const last = await person.request({ method: 'GET', url: '/api/user' });
    expect(last.headers['set-cookie']).toMatch(new RegExp(`Max-Age=${(10 * DAY_MS) / 1_000};`));
    on.clock.pass(2 * DAY_MS);
    expect((await person.request({ method: 'GET', url: '/api/user' })).headers).not.toHaveProperty('set-cookie');
  });

  test('is not written to at each use', async () => {
    const on = await startSessionApp();
    const person = await signIn(on);
    const version = () => sql<{ xmin: string }>`SELECT xmin::text FROM session`.execute(on.db);
    const before = await version();
    on.clock.pass(4 * 60_000);
    await isSignedIn(person);
    expect((await version()).rows).toEqual(before.rows);
    on.clock.pass(2 * 60_000);
    await isSignedIn(person);
    expect((await version()).rows).not.toEqual(before.rows);
  });

  test('is answered from memory while the process hears of ended ones', async () => {
    const on = await startSessionApp();
    const person = await signIn(on);
    await isSignedIn(person);
    await on.db.deleteFrom('session').execute();
    expect(await isSignedIn(person)).toBe(true);
    on.clock.pass(60_000);
    expect(await isSignedIn(person)).toBe(false);
  });

  test('that has run out is swept away and logged', async () => {
    const on = await startSessionApp();
    await signIn(on);
    await signIn(on, { rememberMe: true });
    on.clock.pass(DAY_MS);
    await Promise.all([on.sessions.endExpired(), on.sessions.endExpired()]);
    expect(await on.db.selectFrom('session').select('remembered').execute()).toEqual([{ remembered: true }]);
    expect(await logged(on, 'session-expired')).toEqual(['A session of admin ran out.']);
  });
});

describe('signing out everywhere', () => {
  test('ends every session of the account in every process, and no other', async () => {
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
    await everythingHeard(there);
    expect(await isSignedIn(phone)).toBe(false);
    expect(await isSignedIn(ann)).toBe(true);
    expect(await isSignedIn(await signIn(here))).toBe(true);
  });

  test('is logged once with how many sessions there were', async () => {
    const on = await startSessionApp();
    const [person] = [await signIn(on), await signIn(on)];
    await person.call(logoutEverywhere, {});
    expect(await logged(on, 'sign-out-everywhere')).toEqual(['admin was signed out everywhere.']);
    const [entry] = await on.db.selectFrom('log_entry').select('metadata').orderBy('id', 'desc').limit(1).execute();
    expect(entry?.metadata).toEqual({ username: 'admin', sessions: 2 });
  });
});

describe('signing out', () => {
  test('ends the session, clears the cookie, and may be repeated', async () => {
    const on = await startSessionApp();
    const person = await signIn(on);
    const stolen = new Person(on.app, person.cookie);
    const response = await person.request({ method: 'POST', url: '/api/logout' });
    expect(response.headers['set-cookie']).toMatch(/^session=; .*Expires=Thu, 01 Jan 1970/);
    expect(await isSignedIn(stolen)).toBe(false);
    expect(await stolen.call(logout, {})).toEqual({ message: 'Signed out' });
    expect(await on.anonymous().call(logout, {})).toEqual({ message: 'Signed out' });
  });

  test('is refused when another site asks for it', async () => {
    const person = await signIn(await startSessionApp());
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await person.request({ method: 'POST', url: '/api/logout', headers })).statusCode).toBe(403);
    expect(await isSignedIn(person)).toBe(true);
  });

  test('counts at once in every process', async () => {
    const here = await startSessionApp();
    const there = await startSessionApp({ beside: here });
    const person = await signIn(here);
    const elsewhere = new Person(there.app, person.cookie);
    expect(await isSignedIn(elsewhere)).toBe(true);
    await person.call(logout, {});
    await everythingHeard(there);
    expect(await isSignedIn(elsewhere)).toBe(false);
  });

  test('counts in a process that cannot hear of it at the moment', async () => {
    const here = await startSessionApp();
    const person = await signIn(here);
    expect(await isSignedIn(person)).toBe(true);
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE application_name = 'interviews live' AND datname = current_database()`.execute(here.db);
    await until('the process knows that it is deaf', () => !here.bus.connected);
    await here.db.deleteFrom('session').execute();
    expect(await isSignedIn(person)).toBe(false);
  });

  test('wins over a look-up that began before it and arrives after it', async () => {
    const on = await startSessionApp();
    const person = await signIn(on);
    const hash = keyedHash(Buffer.from('a secret of the tests, not of anybody'))(person.cookie?.split('=')[1] ?? '');
    const heard = new Promise((resolve) => on.bus.on('session', resolve));
    const other = await startSessionApp({ beside: on });

    const lookUp = await other.db.transaction().execute(async (tx) => {
      await sql`LOCK TABLE session IN ACCESS EXCLUSIVE MODE`.execute(tx);
      const pending = isSignedIn(person);
      await until('the look-up waits', async () => {
        const waiting = await sql`SELECT 1 FROM pg_locks WHERE NOT granted`.execute(on.db);
        return waiting.rows.length > 0;
      });
      await announceSessionEnd(other.db, hash);
      await heard;
      return { pending };
    });
    expect(await lookUp.pending).toBe(true);
    await on.db.deleteFrom('session').execute();
    expect(await isSignedIn(person)).toBe(false);
  });
});
