import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#support/test-database.ts';
import { createLocalClaims, createSharedClaims } from './claims.ts';

const never = new AbortController().signal;

/** Two processes on one database. */
async function twoProcesses() {
  const database = await createTestDatabase();
  const [one, other] = [createSharedClaims(database.url), createSharedClaims(database.url)];
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()]);
    await database.drop();
  });
  return [one, other] as const;
}

/** Work that runs until `end` is called. `begun` resolves when it starts. */
function longWork() {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const work = () => {
    begun.resolve();
    return ended.promise;
  };
  return { work, begun: begun.promise, end: ended.resolve };
}

test.each([
  ['within one process', async () => [createLocalClaims()].flatMap((claims) => [claims, claims] as const)],
  ['across two processes', twoProcesses],
] as const)('work with the same name runs one after the other: %s', async (_, make) => {
  const [one, other] = await make();
  const first = longWork();
  const order: string[] = [];
  const running = one?.runExclusively('a', never, async () => {
    await first.work();
    order.push('first');
  });
  await first.begun;
  const second = other?.runExclusively('a', never, async () => order.push('second'));
  await other?.runExclusively('b', never, async () => order.push('another name'));
  first.end();
  await Promise.all([running, second]);
  expect(order).toEqual(['another name', 'first', 'second']);
});

test('claims of many names wait only for the names that another process has claimed', async () => {
  const [one, other] = await twoProcesses();
  const first = longWork();
  const running = one.runExclusively('name 7', never, first.work);
  await first.begun;
  const done: number[] = [];
  const all = Array.from({ length: 20 }, (_, n) =>
    other.runExclusively(`name ${n}`, never, async () => void done.push(n)),
  );
  await Promise.all(all.filter((_, n) => n !== 7));
  expect(done.toSorted((a, b) => a - b)).toEqual([...Array(20).keys()].filter((n) => n !== 7));
  first.end();
  await Promise.all([running, ...all]);
  expect(done).toHaveLength(20);
});

test('the claims of a process are released when it ends', async () => {
  const [one, other] = await twoProcesses();
  const first = longWork();
  const running = one.runExclusively('a', never, first.work);
  await first.begun;
  await one.close();
  await expect(other.runExclusively('a', never, async () => 'taken over')).resolves.toBe('taken over');
  first.end();
  await running;
});

test('waiting for a claim can be aborted', async () => {
  const [one, other] = await twoProcesses();
  const first = longWork();
  const running = one.runExclusively('a', never, first.work);
  await first.begun;
  const waiting = new AbortController();
  const refused = expect(other.runExclusively('a', waiting.signal, async () => {})).rejects.toThrow();
  waiting.abort();
  await refused;
  first.end();
  await running;
  await expect(other.runExclusively('a', never, async () => 'free again')).resolves.toBe('free again');
});

test('a claim is released when its work fails', async () => {
  const [one, other] = await twoProcesses();
  await expect(one.runExclusively('a', never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(other.runExclusively('a', never, async () => 'free')).resolves.toBe('free');
});
