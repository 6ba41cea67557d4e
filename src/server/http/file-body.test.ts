import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import type { ReadableFile } from '../ports/file-store.ts';
import { BlockPool } from './block-pool.ts';
import { FileBody } from './file-body.ts';

const SIZE = 1000;
const CONTENT = Buffer.from(Array.from({ length: SIZE }, (_, index) => index % 251));

test('every part arrives unchanged, whatever the size of the blocks, in the pool and beyond it', async () => {
  for (const count of [0, 1, 2]) {
    for (const [start, end] of [
      [0, SIZE - 1],
      [0, 0],
      [SIZE - 1, SIZE - 1],
      [3, 67],
      [64, 127],
    ] as const) {
      const file = new MemoryFile();
      const body = new FileBody(file, { start, end }, new BlockPool({ count, blockBytes: 64, smallBytes: 7 }));
      const target = new Target();
      body.pipe(target);
      await Promise.all([finished(target), finished(body, { writable: false })]);
      expect(target.received).toEqual(CONTENT.subarray(start, end + 1));
      expect(file.closed).toBe(1);
    }
  }
});

test('a block is not used again before the target has taken it over', async () => {
  const pool = new BlockPool({ count: 2, blockBytes: 64, smallBytes: 64 });
  const target = new Target({ hold: true });
  const body = new FileBody(new MemoryFile(), { start: 0, end: SIZE - 1 }, pool);
  body.pipe(target);
  await target.nextChunk();
  await turn();
  // One is being written, one read ahead: nothing more is taken while the target holds back.
  expect(pool.take().pooled).toBe(false);
  expect(target.chunks).toHaveLength(1);
  expect(target.chunks[0]).toEqual(CONTENT.subarray(0, 64));
  target.release();
  await Promise.all([finished(target), finished(body, { writable: false })]);
  expect([pool.take().pooled, pool.take().pooled]).toEqual([true, true]);
});

test('a client that goes away while a block is being written ends the reading and closes the file', async () => {
  const pool = new BlockPool({ count: 2, blockBytes: 64, smallBytes: 64 });
  const file = new MemoryFile();
  const target = new Target({ hold: true });
  const body = new FileBody(file, { start: 0, end: SIZE - 1 }, pool);
  body.pipe(target);
  await target.nextChunk();
  const held = target.chunks[0];
  body.destroy();
  await finished(body, { writable: false }).catch(() => undefined);
  expect(file.closed).toBe(1);

  const next = [pool.take(), pool.take()];
  expect(next.every((block) => block.pooled)).toBe(true);
  // The block that the system may still be reading is not among them.
  expect(next.map((block) => block.bytes.buffer)).not.toContain(held?.buffer);
});

test.each([
  ['fails', () => Promise.reject(new Error('broken disk'))],
  ['ends early', () => Promise.resolve(0)],
])('a file that %s ends the body with an error, closed', async (_, read) => {
  const file = new MemoryFile();
  const good = file.read.bind(file);
  file.read = (buffer, position) => (position < 128 ? good(buffer, position) : read());
  const body = new FileBody(
    file,
    { start: 0, end: SIZE - 1 },
    new BlockPool({ count: 2, blockBytes: 64, smallBytes: 64 }),
  );
  body.pipe(new Target());
  await expect(finished(body, { writable: false })).rejects.toThrow(/broken disk|became shorter/);
  expect(file.closed).toBe(1);
});

test('a body that is never piped closes its file when it is destroyed', async () => {
  const file = new MemoryFile();
  const body = new FileBody(file, { start: 0, end: 9 }, new BlockPool({ count: 1, blockBytes: 64, smallBytes: 64 }));
  body.destroy();
  await finished(body, { writable: false }).catch(() => undefined);
  expect(file.closed).toBe(1);
});

class MemoryFile implements ReadableFile {
  readonly file = { size: SIZE, modifiedAt: new Date(0), etag: 'etag' };
  closed = 0;

  async read(buffer: Uint8Array, position: number): Promise<number> {
    if (this.closed > 0) throw new Error('Read after close.');
    return CONTENT.copy(buffer, 0, position);
  }

  async close(): Promise<void> {
    this.closed += 1;
  }
}

class Target extends Writable {
  readonly chunks: Buffer[] = [];
  readonly #received: Buffer[] = [];
  #holding: (() => void) | null = null;
  #hold: boolean;
  #arrived: () => void = () => undefined;

  constructor({ hold = false } = {}) {
    super();
    this.#hold = hold;
  }

  get received(): Buffer {
    return Buffer.concat(this.#received);
  }

  nextChunk(): Promise<void> {
    if (this.chunks.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  release(): void {
    this.#hold = false;
    this.#holding?.();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    this.#received.push(Buffer.from(chunk));
    if (this.#hold) this.#holding = done;
    else done();
    this.#arrived();
  }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
