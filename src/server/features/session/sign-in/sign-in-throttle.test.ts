import { describe, expect, test } from 'vitest';
import type { Person } from '#support/call.ts';
import { type SessionApp, startSessionApp } from '#support/session-app.ts';
import { SignInGate } from './sign-in-gate.ts';
import { waitAfter } from './sign-in-throttle.ts';

const HERE = '203.0.113.5';
const ELSEWHERE = '198.51.100.7';
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface Try {
  from?: string;
  username?: string;
  password?: string;
}

const tryOn = (person: Person, { from = HERE, username = 'admin', password = 'wrong' }: Try = {}) =>
  person.request({
    method: 'POST',
    url: '/api/login',
    body: { username, password },
    headers: { 'x-forwarded-for': from },
  });

const statusOf = async (app: SessionApp, attempt: Try = {}) => (await tryOn(app.anonymous(), attempt)).statusCode;
const right = { password: 'admin123' };

async function fail(app: SessionApp, times: number, attempt: Try = {}): Promise<void> {
  for (let n = 0; n < times; n += 1) expect(await statusOf(app, attempt)).toBe(401);
}

/** Sets the stored number of failures. */
const arrange = (app: SessionApp, kind: 'address' | 'site' | 'name', failures: number) =>
  app.db.updateTable('sign_in_failure').set({ failures }).where('key', 'like', `${kind}:%`).execute();

describe('too many failed sign-ins', () => {
  test('after five failures from one address with one name, even the correct password has to wait as long as the response states', async () => {
    const app = await startSessionApp();
    await fail(app, 5);
    const blocked = await tryOn(app.anonymous(), right);
    expect(blocked.statusCode).toBe(429);
    expect(blocked.headers['retry-after']).toBe('15');
    expect(blocked.json()).toMatchObject({ message: 'Too many failed sign-ins. Try again in 15 seconds.' });
    app.clock.pass(15 * SECOND_MS);
    expect(await statusOf(app, right)).toBe(200);
  });

  test.each([
    ['pair', 4, 0],
    ['pair', 5, 15 * SECOND_MS],
    ['pair', 6, 30 * SECOND_MS],
    ['pair', 10, 8 * MINUTE_MS],
    ['pair', 11, 15 * MINUTE_MS],
    ['pair', 5_000, 15 * MINUTE_MS],
    ['address', 19, 0],
    ['address', 20, 15 * SECOND_MS],
    ['name', 49, 0],
    ['name', 1_000, MINUTE_MS],
  ] as const)('the wait by %s after %i failures is %i ms', (kind, failures, waitMs) => {
    expect(waitAfter(kind, failures)).toBe(waitMs);
  });

  test('too many failed sign-ins do not hold up sign-ins from other addresses, even when repeated 200 times', async () => {
    const app = await startSessionApp();
    await fail(app, 5);
    const flood = Promise.all(Array.from({ length: 200 }, () => statusOf(app)));
    const served = await Promise.all([1, 2, 3].map((n) => statusOf(app, { ...right, from: `198.51.100.${n}` })));
    expect(served).toEqual([200, 200, 200]);
    expect(new Set(await flood)).toEqual(new Set([429]));
    expect(await app.db.selectFrom('log_entry').select('id').where('type', '=', 'error').execute()).toHaveLength(5);
  });

  test('too many failed sign-ins are still counted after a restart', async () => {
    const before = await startSessionApp();
    await fail(before, 5);
    await before.stop();
    const after = await startSessionApp({ beside: before });
    expect(await statusOf(after, right)).toBe(429);
  });

  test('too many failed sign-ins are counted together in all processes', async () => {
    const here = await startSessionApp();
    const there = await startSessionApp({ beside: here });
    await fail(here, 3);
    await fail(there, 2);
    expect(await statusOf(here, right)).toBe(429);
  });

  test('too many failed sign-ins cannot be evaded by concurrent attempts', async () => {
    const app = await startSessionApp();
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(app)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });

  test('too many failed sign-ins are throttled for unknown names as for known ones', async () => {
    const app = await startSessionApp();
    await fail(app, 5, { username: 'Nobody' });
    expect(await statusOf(app, { username: 'nobody' })).toBe(429);
  });

  test('too many failed sign-ins are reset by a success', async () => {
    const app = await startSessionApp();
    await fail(app, 4);
    expect(await statusOf(app, right)).toBe(200);
    await fail(app, 5);
    expect(await statusOf(app)).toBe(429);
  });

  test('too many failed sign-ins are ignored after a day, and deleted', async () => {
    const app = await startSessionApp();
    await fail(app, 5);
    app.clock.pass(DAY_MS + 1);
    await fail(app, 4);
    app.clock.pass(DAY_MS + 1);
    await app.signIn.throttle.deleteOldFailures();
    expect(await app.db.selectFrom('sign_in_failure').selectAll().execute()).toEqual([]);
  });

  test('a stranger’s failures do not lock out the owner at another address', async () => {
    const app = await startSessionApp();
    await fail(app, 5);
    expect(await statusOf(app, { ...right, from: ELSEWHERE })).toBe(200);
  });

  test('failures with many names from one address delay that address', async () => {
    const app = await startSessionApp();
    await fail(app, 1);
    await arrange(app, 'address', 20);
    await app.db
      .updateTable('sign_in_failure')
      .set({ blocked_until: new Date(app.clock.now + 1_000) })
      .execute();
    expect(await statusOf(app, { username: 'another' })).toBe(429);
    expect(await statusOf(app, { username: 'another', from: ELSEWHERE })).toBe(401);
  });

  test('failures from many addresses delay a name except at its usual place', async () => {
    const app = await startSessionApp();
    expect(await statusOf(app, { ...right, from: ELSEWHERE })).toBe(200);
    await fail(app, 1, { from: '192.0.2.1' });
    await arrange(app, 'name', 49);
    await fail(app, 1, { from: '192.0.2.2' });
    expect(await statusOf(app, { ...right, from: '192.0.2.3' })).toBe(429);
    expect(await statusOf(app, { ...right, from: ELSEWHERE })).toBe(200);
  });

  test('a success undoes what its own attempt added to the shared counts', async () => {
    const app = await startSessionApp();
    await fail(app, 1);
    await arrange(app, 'address', 19);
    expect(await statusOf(app, right)).toBe(200);
    const left = await app.db.selectFrom('sign_in_failure').selectAll().where('key', 'like', 'address:%').execute();
    expect(left).toMatchObject([{ failures: 19, blocked_until: null }]);
  });

  test('too many failed sign-ins cannot be evaded with a forged address in the forwarded header', async () => {
    const app = await startSessionApp();
    for (let n = 0; n < 5; n += 1) await fail(app, 1, { from: `10.0.0.${n}, ${HERE}` });
    expect(await statusOf(app, { from: `10.0.0.99, ${HERE}` })).toBe(429);
  });

  test('too many failed sign-ins cannot be evaded with a forwarded header without a proxy', async () => {
    const app = await startSessionApp({ trustProxy: false });
    for (let n = 0; n < 5; n += 1) await fail(app, 1, { from: `10.0.0.${n}` });
    expect(await statusOf(app, { from: '10.0.0.99' })).toBe(429);
  });

  test('too many failed sign-ins cannot be evaded behind a proxy that appends a changing port to the address', async () => {
    const app = await startSessionApp();
    for (let n = 0; n < 5; n += 1) await fail(app, 1, { from: `${HERE}:${40_000 + n}` });
    expect(await statusOf(app, { from: `${HERE}:50000` })).toBe(429);
    for (let n = 0; n < 5; n += 1) await fail(app, 1, { from: `[2001:db8:1:2::9]:${40_000 + n}` });
    expect(await statusOf(app, { from: '[2001:db8:1:2::8]:50000' })).toBe(429);
  });

  test('count for the proxy when it forwards no address, and the process log warns once', async () => {
    const warnings: string[] = [];
    const app = await startSessionApp({ onWarning: (line) => warnings.push(line) });
    for (let n = 0; n < 5; n += 1) await fail(app, 1, { from: `unknown ${n}` });
    expect(await statusOf(app, { from: 'unknown 9' })).toBe(429);
    const aboutProxy = warnings.map((line) => JSON.parse(line).msg).filter((message) => /Forwarded/.test(message));
    expect(aboutProxy).toEqual([
      'X-Forwarded-For does not end in an address. Failed sign-ins count for the proxy: check its configuration.',
    ]);
  });

  test('failed sign-ins are also throttled per IPv6 /48, except at the usual place', async () => {
    const app = await startSessionApp();
    const from = (n: number) => `2001:db8:1:${n.toString(16)}::1`;
    expect(await statusOf(app, { ...right, from: from(9_999) })).toBe(200);
    await fail(app, 1, { from: from(1), username: 'one' });
    await arrange(app, 'site', 49);
    await fail(app, 1, { from: from(2), username: 'two' });
    expect(await statusOf(app, { from: from(3), username: 'another' })).toBe(429);
    expect(await statusOf(app, { from: '2001:db8:2::1', username: 'another' })).toBe(401);
    expect(await statusOf(app, { ...right, from: from(9_999) })).toBe(200);
  });

  test('too many failed sign-ins cannot be evaded with another address of the same IPv6 network', async () => {
    const app = await startSessionApp();
    for (let n = 0; n < 5; n += 1) await fail(app, 1, { from: `2001:db8:1:2:${n}::${n}` });
    expect(await statusOf(app, { from: '2001:db8:1:2:ffff::1' })).toBe(429);
    expect(await statusOf(app, { ...right, from: '2001:db8:1:3::1' })).toBe(200);
  });

  test('too many failed sign-ins cannot be evaded with another spelling of the name', async () => {
    const app = await startSessionApp();
    for (const username of ['admin', 'ADMIN', ' Admin ', 'aDmIn', '\tadmin']) await fail(app, 1, { username });
    expect(await statusOf(app, { username: 'AdMiN' })).toBe(429);
  });

  test('guesses at one account from changing addresses are limited to one per minute, and its owner still signs in at their usual place', async () => {
    const app = await startSessionApp();
    expect(await statusOf(app, { ...right, from: ELSEWHERE })).toBe(200);
    await fail(app, 1, { from: '192.0.2.1' });
    await arrange(app, 'name', 1_000);
    const statuses: number[] = [];
    for (let minute = 0; minute < 10; minute += 1) {
      for (const host of [1, 2, 3]) statuses.push(await statusOf(app, { from: `10.${minute}.0.${host}` }));
      app.clock.pass(MINUTE_MS);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(await statusOf(app, { ...right, from: ELSEWHERE })).toBe(200);
  });

  test('too many failed sign-ins are logged with the resulting wait, but attempts refused during the wait are not', async () => {
    const app = await startSessionApp();
    await fail(app, 5);
    expect(await statusOf(app)).toBe(429);
    const entries = await app.db
      .selectFrom('log_entry')
      .select('summary')
      .where('type', '=', 'error')
      .orderBy('id')
      .execute();
    expect(entries.map(({ summary }) => summary)).toEqual([
      ...Array(4).fill('Failed sign-in as admin.'),
      'Failed sign-in as admin. The next attempt has to wait 15 seconds.',
    ]);
  });

  test('leave no plain name and no plain address in the table', async () => {
    const app = await startSessionApp();
    await fail(app, 1, { username: 'a password typed into the wrong field' });
    const rows = await app.db.selectFrom('sign_in_failure').select('key').execute();
    expect(rows.map((row) => row.key.replace(/[0-9a-f]{64}$/, '…')).toSorted()).toEqual([
      'address:…',
      'name:…',
      'pair:…',
    ]);
  });
});

/** A gate that knows one name with a usual place. */
const newGate = () => new SignInGate({ checkWait: async ({ name }) => ({ isUsualPlace: name === 'ann' }) });
const enter = <T>(gate: SignInGate, name: string, address: string, signIn: () => Promise<T>) =>
  gate.runLimited(address, () => ({ attempt: { name, address } }), signIn);
const soon = () => new Promise(setImmediate);
const countFulfilled = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.filter(({ status }) => status === 'fulfilled').length;

test('in a flood of sign-ins two run at a time, a bounded number waits, and the rest is rejected', async () => {
  const gate = newGate();
  let [running, mostRunning] = [0, 0];
  const work = async () => {
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    await soon();
    running -= 1;
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, (_, n) => enter(gate, 'x', `192.0.2.${n}`, work)),
  );
  expect(mostRunning).toBe(2);
  expect(countFulfilled(outcomes)).toBe(66);
  await expect(enter(gate, 'x', HERE, async () => 'served')).resolves.toBe('served');
});

test('a flood of sign-ins from one address leaves places for other addresses', async () => {
  const gate = newGate();
  const flood = Promise.allSettled(Array.from({ length: 1_000 }, () => enter(gate, 'x', HERE, soon)));
  await expect(enter(gate, 'x', ELSEWHERE, async () => 'served')).resolves.toBe('served');
  expect(countFulfilled(await flood)).toBe(16);
  await expect(enter(gate, 'x', HERE, async () => 'served')).resolves.toBe('served');
});

test('an attempt that the throttle blocks is rejected at once while the queue is full', async () => {
  const gate = new SignInGate({
    checkWait: async ({ name }) => {
      if (name === 'blocked') throw new Error('blocked');
      return { isUsualPlace: false };
    },
  });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const running = ['192.0.2.1', '192.0.2.2'].map((address) => enter(gate, 'x', address, () => held));
  const refused = enter(gate, 'blocked', ELSEWHERE, async () => 'served').catch(String);
  setTimeout(release, 200);
  expect(await Promise.race([refused, held])).toBe('Error: blocked');
  await Promise.all([...running, refused]);
});

/** Sign-ins that enter a new gate at the same time. `order` lists those that were started. */
function startFlood(count: number, addressOf: (n: number) => string) {
  const gate = newGate();
  const order: string[] = [];
  const started = (who: string) => async () => {
    order.push(who);
    await soon();
  };
  const entries = Array.from({ length: count }, (_, n) => enter(gate, 'x', addressOf(n), started('flood')));
  return { gate, started, order, flood: Promise.allSettled(entries) };
}

test.each([
  ['five addresses', (n: number) => `192.0.2.${n % 5}`],
  ['the networks of one IPv6 site', (n: number) => `2001:db8:1:${n.toString(16)}::/64`],
])('while a flood from %s waits, the next place goes to another address', async (_, addressOf) => {
  const { gate, started, flood, order } = startFlood(500, addressOf);
  await enter(gate, 'x', ELSEWHERE, started('other'));
  expect(order.indexOf('other')).toBeLessThan(2 + 5 + 2);
  await flood;
});

test('a name at its usual place is served before all others, however many addresses wait', async () => {
  const { gate, started, flood, order } = startFlood(100, (n) => `192.0.2.${n}`);
  await enter(gate, 'ann', '192.0.2.1', started('ann'));
  expect(order.indexOf('ann')).toBe(2);
  await flood;
});
