import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import type { ReadableFile } from '#server/ports/file-store.ts';
import { BlockPool } from './block-pool.ts';
import { sendRange } from './send-range.ts';

const SIZE = 1000;
const CONTENT = Buffer.from(Array.from({ length: SIZE }, (_, index) => index % 251));
const WHOLE = { start: 0, end: SIZE - 1 };
const newPool = (count: number) => new BlockPool({ count, blockBytes: 64, smallBytes: 7 });

test.each([0, 1, 2])('each range arrives unchanged, with %i pooled blocks', async (count) => {
  for (const [start, end] of [
    [0, SIZE - 1],
    [0, 0],
    [SIZE - 1, SIZE - 1],
    [3, 67],
    [64, 127],
  ] as const) {
    const { response, send } = setUp({ pool: newPool(count) });
    await Promise.all([finished(response), send({ start, end })]);
    expect(response.received).toEqual(CONTENT.subarray(start, end + 1));
  }
});

test('a file that returns few bytes at a time is sent whole', async () => {
  const { file, response, send } = setUp();
  file.read = async (buffer, position) => CONTENT.copy(buffer, 0, position, position + 3);
  await send({ start: 1, end: 100 });
  expect(response.received).toEqual(CONTENT.subarray(1, 101));
});

test('reading stays one block ahead of a slow client', async () => {
  const pool = newPool(2);
  const { response, send } = setUp({ pool, isBlocked: true });
  const sent = send(WHOLE);
  await response.nextChunk();
  await turn();
  // One block is being written and one is read ahead; no third one is read.
  expect(pool.acquire().isPooled).toBe(false);
  expect(response.chunks).toEqual([CONTENT.subarray(0, 64)]);
  response.unblock();
  await sent;
  expect([pool.acquire().isPooled, pool.acquire().isPooled]).toEqual([true, true]);
});

test('a client that disconnects during a write ends the sending, and its buffer is not used again', async () => {
  const pool = newPool(2);
  const { response, send } = setUp({ pool, isBlocked: true });
  const sent = send(WHOLE);
  await response.nextChunk();
  const [blocked] = response.chunks;
  response.destroy();
  await sent;
  const next = [pool.acquire(), pool.acquire()];
  expect(next.every(({ isPooled }) => isPooled)).toBe(true);
  expect(next.map(({ bytes }) => bytes.buffer)).not.toContain(blocked?.buffer);
});

test('a client that disconnects during the first read gets nothing, and the buffer returns to the pool', async () => {
  const pool = newPool(1);
  const { response, send, heads } = setUp({ pool });
  response.destroy();
  await send(WHOLE);
  expect([heads(), response.chunks, pool.acquire().isPooled]).toEqual([0, [], true]);
});

test.each([
  ['fails', () => Promise.reject(new Error('broken disk'))],
  ['ends early', () => Promise.resolve(0)],
])('a file that %s in the middle rejects after the head', async (_, read) => {
  const pool = newPool(2);
  const { file, send, heads } = setUp({ pool });
  const readContent = file.read.bind(file);
  file.read = (buffer, position) => (position < 128 ? readContent(buffer, position) : read());
  await expect(send(WHOLE)).rejects.toThrow(/broken disk|became shorter/);
  expect([heads(), pool.acquire().isPooled, pool.acquire().isPooled]).toEqual([1, true, true]);
});

test('a file that cannot be read rejects before the head', async () => {
  const pool = newPool(1);
  const { file, send, heads } = setUp({ pool });
  file.read = () => Promise.reject(new Error('broken disk'));
  await expect(send(WHOLE)).rejects.toThrow('broken disk');
  expect([heads(), pool.acquire().isPooled]).toEqual([0, true]);
});

function setUp({ pool = newPool(2), isBlocked = false }: { pool?: BlockPool; isBlocked?: boolean } = {}) {
  const file: ReadableFile = {
    file: { size: SIZE, modifiedAt: new Date(0), etag: 'etag' },
    read: async (buffer, position) => CONTENT.copy(buffer, 0, position),
    close: async () => {},
  };
  const response = new FakeResponse({ isBlocked });
  let heads = 0;
  const writeHead = () => {
    heads += 1;
  };
  const send = (range: { start: number; end: number }) =>
    sendRange(file, range, { response: response as unknown as ServerResponse, writeHead, pool });
  return { file, response, send, heads: () => heads };
}

/** Takes chunks immediately, or holds the first one until `unblock`. */
class FakeResponse extends Writable {
  readonly chunks: Buffer[] = [];
  readonly #received: Buffer[] = [];
  #isBlocked: boolean;
  #pending: (() => void) | null = null;
  #onChunk: () => void = () => undefined;

  constructor({ isBlocked }: { isBlocked: boolean }) {
    super();
    this.#isBlocked = isBlocked;
  }

  get received(): Buffer {
    return Buffer.concat(this.#received);
  }

  nextChunk(): Promise<void> {
    if (this.chunks.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onChunk = resolve;
    });
  }

  unblock(): void {
    this.#isBlocked = false;
    this.#pending?.();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    this.#received.push(Buffer.from(chunk));
    if (this.#isBlocked) this.#pending = done;
    else done();
    this.#onChunk();
  }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
