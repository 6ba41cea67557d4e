import { describe, expect, test } from 'vitest';
import { batch, coalesce, loadOnce, singleFlight } from './single-flight.ts';

/** A function whose runs the test ends. */
function controlled<Args extends unknown[]>() {
  const runs: (PromiseWithResolvers<number> & { args: Args })[] = [];
  const run = (...args: Args): Promise<number> => {
    const pending = { ...Promise.withResolvers<number>(), args };
    runs.push(pending);
    return pending.promise;
  };
  return { runs, run };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('singleFlight', () => {
  test('concurrent callers share one run, and a later caller starts another', async () => {
    const { runs, run } = controlled();
    const call = singleFlight(run);
    const shared = Promise.all([call(), call()]);
    runs[0]?.resolve(1);
    expect(await shared).toEqual([1, 1]);
    const later = call();
    runs[1]?.resolve(2);
    expect([await later, runs.length]).toEqual([2, 2]);
  });

  test('concurrent callers share a failure, and a later caller starts another run', async () => {
    const { runs, run } = controlled();
    const call = singleFlight(run);
    const shared = Promise.allSettled([call(), call()]);
    runs[0]?.reject(new Error('broken'));
    expect((await shared).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const later = call();
    runs[1]?.resolve(2);
    expect(await later).toBe(2);
  });

  test('callers with different keys do not share a run', async () => {
    const { runs, run } = controlled<[string]>();
    const call = singleFlight(run, (key) => key);
    const all = Promise.all([call('a'), call('b'), call('a')]);
    expect(runs.map(({ args }) => args)).toEqual([['a'], ['b']]);
    runs[0]?.resolve(1);
    runs[1]?.resolve(2);
    expect(await all).toEqual([1, 2, 1]);
  });
});

test('loadOnce keeps a result and retries only after a failure', async () => {
  const { runs, run } = controlled();
  const load = loadOnce(run);
  const failed = Promise.allSettled([load(), load()]);
  runs[0]?.reject(new Error('not loaded'));
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const loaded = load();
  runs[1]?.resolve(7);
  expect([await loaded, await load(), runs.length]).toEqual([7, 7, 2]);
});

describe('coalesce', () => {
  test('calls during a run share one run that begins after it', async () => {
    const { runs, run } = controlled();
    const call = coalesce(run);
    const first = call();
    await settled();
    const during = [call(), call(), call()];
    await settled();
    expect(runs).toHaveLength(1);
    runs[0]?.resolve(1);
    await settled();
    runs[1]?.resolve(2);
    expect([await first, ...(await Promise.all(during)), runs.length]).toEqual([1, 2, 2, 2, 2]);
  });

  test('a failed run does not prevent the next one', async () => {
    const { runs, run } = controlled();
    const call = coalesce(run);
    const first = call();
    await settled();
    const second = call();
    runs[0]?.reject(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await settled();
    runs[1]?.resolve(2);
    expect(await second).toBe(2);
  });
});

describe('batch', () => {
  test('items that arrive during a run make up the next one', async () => {
    const { runs, run } = controlled<[readonly string[]]>();
    const call = batch(run);
    const first = call('a');
    await settled();
    const during = [call('b'), call('c')];
    runs[0]?.resolve(1);
    await settled();
    expect(runs.map(({ args }) => args)).toEqual([[['a']], [['b', 'c']]]);
    runs[1]?.resolve(2);
    expect([await first, ...(await Promise.all(during))]).toEqual([1, 2, 2]);
  });

  test('items that arrive within the gathering time share a run', async () => {
    const { runs, run } = controlled<[readonly string[]]>();
    const call = batch(run, { gatherMs: 50 });
    const all = [call('a')];
    await settled();
    all.push(call('b'));
    while (runs.length === 0) await settled();
    runs[0]?.resolve(1);
    expect([...(await Promise.all(all)), runs[0]?.args]).toEqual([1, 1, [['a', 'b']]]);
  });
});
