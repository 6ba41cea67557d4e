import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#support/test-database.ts';
import { claimsAmongAll, claimsWithin } from './claims.ts';

const never = new AbortController().signal;

/** Two processes on one database. */
async function twoProcesses() {
  const database = await createTestDatabase();
  const [one, other] = [claimsAmongAll(database.url), claimsAmongAll(database.url)];
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()]);
    await database.drop();
  });
  return [one, other] as const;
}

/** Work that lasts until it is told to end, and says that it has begun. */
function lasting() {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const work = () => {
    begun.resolve();
    return ended.promise;
  };
  return { work, begun: begun.promise, end: ended.resolve };
}

test.each([
  ['of one process', async () => [claimsWithin()].flatMap((claims) => [claims, claims] as const)],
  ['of two processes', twoProcesses],
] as const)('work of one name waits for its turn among the work %s', async (_, make) => {
  const [one, other] = await make();
  const first = lasting();
  const order: string[] = [];
  const running = one?.run('a', never, async () => {
    await first.work();
    order.push('first');
  });
  await first.begun;
  const second = other?.run('a', never, async () => order.push('second'));
  await other?.run('b', never, async () => order.push('another name'));
  first.end();
  await Promise.all([running, second]);
  expect(order).toEqual(['another name', 'first', 'second']);
});

test('of many names that are claimed at once, only those wait that somebody else has', async () => {
  const [one, other] = await twoProcesses();
  const first = lasting();
  const running = one.run('name 7', never, first.work);
  await first.begun;
  const done: number[] = [];
  const all = Array.from({ length: 20 }, (_, n) => other.run(`name ${n}`, never, async () => void done.push(n)));
  await Promise.all(all.filter((_, n) => n !== 7));
  expect(done.toSorted((a, b) => a - b)).toEqual([...Array(20).keys()].filter((n) => n !== 7));
  first.end();
  await Promise.all([running, ...all]);
  expect(done).toHaveLength(20);
});

test('a process that ends leaves its claims to the others', async () => {
  const [one, other] = await twoProcesses();
  const first = lasting();
  const running = one.run('a', never, first.work);
  await first.begun;
  await one.close();
  await expect(other.run('a', never, async () => 'taken over')).resolves.toBe('taken over');
  first.end();
  await running;
});

test('who waits can give up', async () => {
  const [one, other] = await twoProcesses();
  const first = lasting();
  const running = one.run('a', never, first.work);
  await first.begun;
  const waiting = new AbortController();
  const refused = expect(other.run('a', waiting.signal, async () => {})).rejects.toThrow();
  waiting.abort();
  await refused;
  first.end();
  await running;
  await expect(other.run('a', never, async () => 'free again')).resolves.toBe('free again');
});

test('work that fails lets go', async () => {
  const [one, other] = await twoProcesses();
  await expect(one.run('a', never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(other.run('a', never, async () => 'free')).resolves.toBe('free');
});
