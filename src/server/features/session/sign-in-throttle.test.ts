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

const statusOf = async (on: SessionApp, attempt: Try = {}) => (await tryOn(on.anonymous(), attempt)).statusCode;
const right = { password: 'admin123' };

async function fail(on: SessionApp, times: number, attempt: Try = {}): Promise<void> {
  for (let n = 0; n < times; n += 1) expect(await statusOf(on, attempt)).toBe(401);
}

/** Leaves as many failures behind as if they had been made. */
const arrange = (on: SessionApp, kind: 'address' | 'name', failures: number) =>
  on.db.updateTable('sign_in_failure').set({ failures }).where('key', 'like', `${kind}:%`).execute();

describe('too many failed sign-ins', () => {
  test('after five from one address with one name, even the right password waits, and the answer says how long', async () => {
    const on = await startSessionApp();
    await fail(on, 5);
    const blocked = await tryOn(on.anonymous(), right);
    expect(blocked.statusCode).toBe(429);
    expect(blocked.headers['retry-after']).toBe('15');
    expect(blocked.json()).toMatchObject({ message: 'Too many failed sign-ins. Please try again in 15 seconds.' });
    on.clock.pass(15 * SECOND_MS);
    expect(await statusOf(on, right)).toBe(200);
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

  test('survive a restart', async () => {
    const before = await startSessionApp();
    await fail(before, 5);
    await before.stop();
    const after = await startSessionApp({ beside: before });
    expect(await statusOf(after, right)).toBe(429);
  });

  test('count together in all processes', async () => {
    const here = await startSessionApp();
    const there = await startSessionApp({ beside: here });
    await fail(here, 3);
    await fail(there, 2);
    expect(await statusOf(here, right)).toBe(429);
  });

  test('cannot be outrun by trying at the same moment', async () => {
    const on = await startSessionApp();
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(on)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });

  test('are the same for a name that nobody has', async () => {
    const on = await startSessionApp();
    await fail(on, 5, { username: 'Nobody' });
    expect(await statusOf(on, { username: 'nobody' })).toBe(429);
  });

  test('start anew after a success', async () => {
    const on = await startSessionApp();
    await fail(on, 4);
    expect(await statusOf(on, right)).toBe(200);
    await fail(on, 5);
    expect(await statusOf(on)).toBe(429);
  });

  test('are forgotten after a day, and swept', async () => {
    const on = await startSessionApp();
    await fail(on, 5);
    on.clock.pass(DAY_MS + 1);
    await fail(on, 4);
    on.clock.pass(DAY_MS + 1);
    await on.sessions.sweep();
    expect(await on.db.selectFrom('sign_in_failure').selectAll().execute()).toEqual([]);
  });

  test('of strangers do not lock out the owner at another address', async () => {
    const on = await startSessionApp();
    await fail(on, 5);
    expect(await statusOf(on, { ...right, from: ELSEWHERE })).toBe(200);
  });

  test('with many names from one address hold that address up', async () => {
    const on = await startSessionApp();
    await fail(on, 1);
    await arrange(on, 'address', 20);
    await on.db
      .updateTable('sign_in_failure')
      .set({ blocked_until: new Date(on.clock.now + 1_000) })
      .execute();
    expect(await statusOf(on, { username: 'somebody' })).toBe(429);
    expect(await statusOf(on, { username: 'somebody', from: ELSEWHERE })).toBe(401);
  });

  test('from many addresses hold a name up only where it is not at home', async () => {
    const on = await startSessionApp();
    expect(await statusOf(on, { ...right, from: ELSEWHERE })).toBe(200);
    await fail(on, 1, { from: '192.0.2.1' });
    await arrange(on, 'name', 49);
    await fail(on, 1, { from: '192.0.2.2' });
    expect(await statusOf(on, { ...right, from: '192.0.2.3' })).toBe(429);
    expect(await statusOf(on, { ...right, from: ELSEWHERE })).toBe(200);
  });

  test('a success takes back what its try added to the counts it shares with others', async () => {
    const on = await startSessionApp();
    await fail(on, 1);
    await arrange(on, 'address', 19);
    expect(await statusOf(on, right)).toBe(200);
    const left = await on.db.selectFrom('sign_in_failure').selectAll().where('key', 'like', 'address:%').execute();
    expect(left).toMatchObject([{ failures: 19, blocked_until: null }]);
  });

  test('are not escaped by writing another address into the header that the proxy extends', async () => {
    const on = await startSessionApp();
    for (let n = 0; n < 5; n += 1) await fail(on, 1, { from: `10.0.0.${n}, ${HERE}` });
    expect(await statusOf(on, { from: `10.0.0.99, ${HERE}` })).toBe(429);
  });

  test('are not escaped by a header that says where one comes from when there is no proxy', async () => {
    const on = await startSessionApp({ trustProxy: false });
    for (let n = 0; n < 5; n += 1) await fail(on, 1, { from: `10.0.0.${n}` });
    expect(await statusOf(on, { from: '10.0.0.99' })).toBe(429);
  });

  test('are not escaped by another address of the same IPv6 network', async () => {
    const on = await startSessionApp();
    for (let n = 0; n < 5; n += 1) await fail(on, 1, { from: `2001:db8:1:2:${n}::${n}` });
    expect(await statusOf(on, { from: '2001:db8:1:2:ffff::1' })).toBe(429);
    expect(await statusOf(on, { ...right, from: '2001:db8:1:3::1' })).toBe(200);
  });

  test('are not escaped by spelling the name in another way', async () => {
    const on = await startSessionApp();
    for (const username of ['admin', 'ADMIN', ' Admin ', 'aDmIn', '\tadmin']) await fail(on, 1, { username });
    expect(await statusOf(on, { username: 'AdMiN' })).toBe(429);
  });

  test('of one account from ever new addresses come to a guess a minute, and its owner still signs in where they usually do', async () => {
    const on = await startSessionApp();
    expect(await statusOf(on, { ...right, from: ELSEWHERE })).toBe(200);
    await fail(on, 1, { from: '192.0.2.1' });
    await arrange(on, 'name', 1_000);
    const statuses: number[] = [];
    for (let minute = 0; minute < 10; minute += 1) {
      for (const host of [1, 2, 3]) statuses.push(await statusOf(on, { from: `10.${minute}.0.${host}` }));
      on.clock.pass(MINUTE_MS);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(await statusOf(on, { ...right, from: ELSEWHERE })).toBe(200);
  });

  test('are logged with the wait that they bring, and the tries refused meanwhile are not', async () => {
    const on = await startSessionApp();
    await fail(on, 5);
    expect(await statusOf(on)).toBe(429);
    const entries = await on.db
      .selectFrom('log_entry')
      .select('summary')
      .where('type', '=', 'error')
      .orderBy('id')
      .execute();
    expect(entries.map(({ summary }) => summary)).toEqual([
      ...Array(4).fill('Failed sign-in as admin.'),
      'Failed sign-in as admin. Further tries wait 15 seconds.',
    ]);
  });

  test('leave no name and no address in the table', async () => {
    const on = await startSessionApp();
    await fail(on, 1, { username: 'a password typed into the wrong field' });
    const rows = await on.db.selectFrom('sign_in_failure').select('key').execute();
    expect(rows.map((row) => row.key.replace(/[0-9a-f]{64}$/, '…')).toSorted()).toEqual([
      'address:…',
      'name:…',
      'pair:…',
    ]);
  });
});

test('a flood of sign-ins works two at a time, lets a bounded number wait, and refuses the rest', async () => {
  const gate = new SignInGate();
  let [now, most] = [0, 0];
  const work = async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise(setImmediate);
    now -= 1;
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => gate.run(`192.0.2.${n}`, work)));
  expect(most).toBe(2);
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(66);
  await expect(gate.run(HERE, async () => 'served')).resolves.toBe('served');
});

test('a flood of sign-ins from one address leaves places to everybody else', async () => {
  const gate = new SignInGate();
  const soon = () => new Promise(setImmediate);
  const flood = Promise.allSettled(Array.from({ length: 1_000 }, () => gate.run(HERE, soon)));
  await expect(gate.run(ELSEWHERE, async () => 'served')).resolves.toBe('served');
  expect((await flood).filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(16);
  await expect(gate.run(HERE, async () => 'served')).resolves.toBe('served');
});
