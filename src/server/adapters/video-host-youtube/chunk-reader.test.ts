import { expect, test } from 'vitest';
import type { ReadableFile } from '#server/ports/file-store.ts';
import { ChunkReader } from './chunk-reader.ts';

const SIZE = 4_000_000;

/** A file whose bytes encode their position; `reading` is the number of reads in progress. */
function fileOfPositions() {
  let reading = 0;
  const file: ReadableFile = {
    file: { size: SIZE, modifiedAt: new Date(0), etag: 'one' },
    async read(buffer, position) {
      reading += 1;
      await new Promise((resolve) => setImmediate(resolve));
      buffer.fill(Math.floor(position / 1_000));
      reading -= 1;
      return buffer.length;
    },
    close: async () => {},
  };
  return { file, reading: () => reading };
}

test('reading another part ends the previous one', async () => {
  const reader = new ChunkReader(fileOfPositions().file);
  const left = reader.blocks(0, SIZE);
  await left.next();
  const other = reader.blocks(1_000_000, SIZE);
  const first = (await other.next()).value as Buffer;

  expect(await left.next()).toEqual({ value: undefined, done: true });
  expect(first[0]).toBe((1_000_000 / 1_000) % 256);
});

test('a reader is idle after the read-ahead of an unfinished part has ended', async () => {
  const { file, reading } = fileOfPositions();
  const reader = new ChunkReader(file);
  await reader.blocks(0, SIZE).next();
  expect(reading()).toBe(1);
  await reader.idle();
  expect(reading()).toBe(0);
});
