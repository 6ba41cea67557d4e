import { expect, test } from 'vitest';
import { loadedWhenUsed } from './loaded-when-used.ts';

interface Counter {
  next(from: number): Promise<number>;
  upwards(from: number): AsyncIterable<number>;
}

/** A port that takes so many tries to load, and what has been asked of it. */
function counter(failures: number) {
  const asked = { loads: 0, ended: 0 };
  const port = loadedWhenUsed<Counter, 'next' | 'upwards'>(['next'], async () => {
    asked.loads += 1;
    if (asked.loads <= failures) throw new Error('not loaded');
    return {
      next: async (from) => from + 1,
      async *upwards(from) {
        try {
          for (let number = from; ; number += 1) yield number;
        } finally {
          asked.ended += 1;
        }
      },
    };
  }, ['upwards']);
  return { port, asked };
}

async function take(count: number, numbers: AsyncIterable<number>): Promise<number[]> {
  const taken: number[] = [];
  for await (const number of numbers) {
    taken.push(number);
    if (taken.length === count) break;
  }
  return taken;
}

test('loads at the first call, once for all of them', async () => {
  const { port, asked } = counter(0);
  expect(asked.loads).toBe(0);
  expect(await Promise.all([port.next(1), port.next(2), take(3, port.upwards(5))])).toEqual([2, 3, [5, 6, 7]]);
  expect(asked).toEqual({ loads: 1, ended: 1 });
});

test('a load that fails is tried again at the next call, of whatever kind', async () => {
  const { port, asked } = counter(2);
  await expect(port.next(1)).rejects.toThrow('not loaded');
  await expect(take(1, port.upwards(1))).rejects.toThrow('not loaded');
  expect(await take(2, port.upwards(1))).toEqual([1, 2]);
  expect(asked.loads).toBe(3);
});
