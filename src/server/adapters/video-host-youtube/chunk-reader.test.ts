import { expect, test } from 'vitest';
import type { ReadableFile } from '#server/ports/file-store.ts';
import { ChunkReader } from './chunk-reader.ts';

const SIZE = 4_000_000;

/** A file whose bytes tell their place; counts how many reads are under way. */
function fileOfPlaces() {
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

test('a part that was left in the middle yields nothing more once another is asked for', async () => {
  const reader = new ChunkReader(fileOfPlaces().file);
  const left = reader.blocks(0, SIZE);
  await left.next();
  const other = reader.blocks(1_000_000, SIZE);
  const first = (await other.next()).value as Buffer;

  expect(await left.next()).toEqual({ value: undefined, done: true });
  expect(first[0]).toBe((1_000_000 / 1_000) % 256);
});

test('a reader is idle when the read ahead of a part that was left has ended', async () => {
  const { file, reading } = fileOfPlaces();
  const reader = new ChunkReader(file);
  await reader.blocks(0, SIZE).next();
  expect(reading()).toBe(1);
  await reader.idle();
  expect(reading()).toBe(0);
});
