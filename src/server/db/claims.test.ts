import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
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

test('a refused connection does not leave the claims of the next one behind', async () => {
  const database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  const refusal = 'SFATAL\0C53300\0Mtoo many connections\0\0';
  const message = Buffer.concat([Buffer.from('E\0\0\0'), Buffer.of(4 + refusal.length), Buffer.from(refusal)]);
  let connections = 0;
  const relay = createServer((socket) => {
    connections += 1;
    if (connections > 1) return void socket.pipe(connect(Number(port), hostname)).pipe(socket);
    socket.once('data', () => socket.write(message));
    setTimeout(() => socket.end(), 100);
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const url = Object.assign(new URL(database.url), { host: `127.0.0.1:${(relay.address() as AddressInfo).port}` });
  const [one, other] = [createSharedClaims(url.href), createSharedClaims(database.url)];
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()]);
    relay.close();
    await database.drop();
  });
  const refused = one.runExclusively('a', never, async () => {});
  const ended = one.runExclusively('b', never, () => sleep(300));
  await expect(refused).rejects.toThrow('too many connections');
  await ended;
  await expect(other.runExclusively('b', AbortSignal.timeout(2_000), async () => 'free')).resolves.toBe('free');
});

test('a claim fails when the database server accepts the connection and stays silent', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const claims = createSharedClaims(`postgres://ann@127.0.0.1:${port}/interviews`);
  await expect(claims.runExclusively('a', never, async () => {})).rejects.toThrow('timeout');
  await claims.close();
});
