import { expect, test } from 'vitest';
import { BlockPool } from './block-pool.ts';

const newPool = () => new BlockPool({ count: 2, blockBytes: 8, smallBytes: 4 });

test('a block that comes back is lent again', () => {
  const pool = newPool();
  const block = pool.take();
  pool.give(block);
  expect(pool.take()).toBe(block);
});

test('never more blocks than its count; whoever comes later gets a small one that is not kept', () => {
  const pool = newPool();
  const lent = [pool.take(), pool.take(), pool.take(), pool.take()];
  expect(lent.map((block) => block.bytes.length)).toEqual([8, 8, 4, 4]);
  for (const block of lent) pool.give(block);
  expect([pool.take(), pool.take(), pool.take()].map((block) => block.bytes.length)).toEqual([8, 8, 4]);
});

test('a forgotten block is never lent again, and a new one takes its place', () => {
  const pool = newPool();
  const [first, second] = [pool.take(), pool.take()];
  pool.forget(first);
  const third = pool.take();
  expect(third.pooled).toBe(true);
  expect([first, second]).not.toContain(third);
});
