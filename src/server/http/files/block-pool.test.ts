import { expect, test } from 'vitest';
import { BlockPool } from './block-pool.ts';

const newPool = () => new BlockPool({ count: 2, blockBytes: 8, smallBytes: 4 });

test('a released block is lent again', () => {
  const pool = newPool();
  const block = pool.acquire();
  pool.release(block);
  expect(pool.acquire()).toBe(block);
});

test('beyond its count the pool lends small blocks and does not keep them', () => {
  const pool = newPool();
  const lent = [pool.acquire(), pool.acquire(), pool.acquire(), pool.acquire()];
  expect(lent.map((block) => block.bytes.length)).toEqual([8, 8, 4, 4]);
  for (const block of lent) pool.release(block);
  expect([pool.acquire(), pool.acquire(), pool.acquire()].map((block) => block.bytes.length)).toEqual([8, 8, 4]);
});

test('a discarded block is never lent again, and a new one replaces it', () => {
  const pool = newPool();
  const [first, second] = [pool.acquire(), pool.acquire()];
  pool.discard(first);
  const third = pool.acquire();
  expect(third.isPooled).toBe(true);
  expect([first, second]).not.toContain(third);
});
