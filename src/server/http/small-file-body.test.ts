import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { ReadableFile } from '../ports/file-store.ts';
import { BlockPool } from './block-pool.ts';
import { readSmallPart } from './small-file-body.ts';

/** Gives its content in small bites, as a slow disk may. */
const file: ReadableFile = {
  file: { size: 10, modifiedAt: new Date(0), etag: 'etag' },
  read: async (buffer, position) => Buffer.from('0123456789').copy(buffer, 0, position, position + 3),
  close: async () => undefined,
};

function setUp() {
  const response = new EventEmitter();
  const pool = new BlockPool({ count: 1, blockBytes: 16, smallBytes: 8 });
  const read = (start: number, end: number) =>
    readSmallPart(file, { start, end }, { response: response as ServerResponse, pool });
  return { response, pool, read };
}

test('reads the whole part, however little comes at a time', async () => {
  expect((await setUp().read(1, 8)).toString()).toBe('12345678');
});

test('the block is lent again when the answer has left, and only then', async () => {
  const { response, pool, read } = setUp();
  const bytes = await read(0, 9);
  expect(pool.take().pooled).toBe(false);
  response.emit('finish');
  response.emit('close');
  expect(pool.take().bytes.buffer).toBe(bytes.buffer);
  expect(pool.take().pooled).toBe(false);
});

test('when the client goes away first, another block takes its place', async () => {
  const { response, pool, read } = setUp();
  const bytes = await read(0, 9);
  response.emit('close');
  const next = pool.take();
  expect(next.pooled).toBe(true);
  expect(next.bytes.buffer).not.toBe(bytes.buffer);
});

test('a file that ends early is an error, and the block comes back', async () => {
  const { pool, read } = setUp();
  await expect(read(5, 12)).rejects.toThrow('became shorter');
  expect(pool.take().pooled).toBe(true);
});
