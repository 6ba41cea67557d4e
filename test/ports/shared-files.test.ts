import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import type { FileStore, SharedFile } from '#server/ports/file-store.ts';
import { emptyFolder } from '#support/backups.ts';
import { HOW_TO_GET_SWIFT, isSwiftInstalled } from '#support/swift/find-swift.ts';
import { listKeys, listUploads, openStore } from '#support/swift/objects.ts';
import { type Swift, startSwift } from '#support/swift/start-swift.ts';

const MB = 2 ** 20;
const SIZE = 20 * MB;
const CONTENT = randomBytes(SIZE);

let swift: Swift;
let bucket: string;
let prefixes = 0;
beforeAll(async () => {
  if (!isSwiftInstalled()) return;
  swift = await startSwift();
  bucket = await swift.createBucket();
});
afterAll(() => swift?.stop());

/** Two processes of one installation, and the names of everything that their store has. */
interface Shared {
  one: FileStore;
  other: FileStore;
  listAll(): Promise<string[]>;
}

async function sharedFolder(): Promise<Shared> {
  const folder = await emptyFolder();
  const listAll = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };
  return { one: localFileStore(folder), other: localFileStore(folder), listAll };
}

/** Each process has its own spool folder. */
async function sharedBucket(): Promise<Shared> {
  prefixes += 1;
  const place = { S3_BUCKET: bucket, S3_PREFIX: `shared-${prefixes}/` };
  const more = { copyPartBytes: 6 * MB, abandonedAfterMs: 0 };
  const listAll = async () => [...(await listKeys(swift, place)), ...(await listUploads(swift, place))];
  return { one: await openStore(swift, place, more), other: await openStore(swift, place, more), listAll };
}

const STORES: [string, () => Promise<Shared>][] = [
  ['local', sharedFolder],
  ...(isSwiftInstalled() ? [['s3', sharedBucket] as [string, () => Promise<Shared>]] : []),
];

if (!isSwiftInstalled())
  test('shared files: s3 is tested only where OpenStack Swift is installed', (context) =>
    context.skip(HOW_TO_GET_SWIFT));

const resume = (store: FileStore) => store.resumeShared('video', 'upload-1', SIZE);

async function write(store: FileStore, content: Uint8Array, size = SIZE): Promise<void> {
  const file = await store.resumeShared('video', 'upload-1', size);
  await append(file, content);
  await file.close();
}

/** In chunks, as a connection receives them. */
async function append(file: SharedFile, content: Uint8Array): Promise<void> {
  for (let at = 0; at < content.length; at += 300_000) await file.append(content.subarray(at, at + 300_000));
}

async function bytesOf(read: (buffer: Uint8Array, at: number, end: number) => Promise<number>): Promise<Buffer> {
  const buffer = Buffer.alloc(SIZE);
  for (let at = 0; at < SIZE; ) {
    const bytes = await read(buffer.subarray(at, at + MB), at, SIZE);
    if (bytes === 0) break;
    at += bytes;
  }
  return buffer;
}

describe.each(STORES)('shared files: %s', { timeout: 90_000 }, (_, newStores) => {
  test('processes take turns at writing one file, and any of them reads and commits it', async () => {
    const { one, other, listAll } = await newStores();
    // Parts of 8 MB: pieces that end inside a part, at its end and after two parts.
    const ends = [1_000, 8 * MB, 8 * MB + 1, 19 * MB, SIZE];
    let start = 0;
    for (const [index, end] of ends.entries()) {
      const store = index % 2 === 0 ? one : other;
      const before = await resume(store);
      expect(before.size).toBe(start);
      await before.close();
      await write(store, CONTENT.subarray(start, end));
      start = end;
    }
    const file = await resume(other);
    expect(file.size).toBe(SIZE);
    await file.seal();
    await file.seal();
    expect((await bytesOf((buffer, at, end) => file.read(buffer, at, end))).equals(CONTENT)).toBe(true);
    expect(await other.stat('video', 'upload-1.mp4')).toBeNull();
    await file.commit('upload-1.mp4');
    const stored = await one.open('video', 'upload-1.mp4');
    expect(
      (await bytesOf((buffer, at, end) => stored?.read(buffer, at, end) ?? Promise.resolve(0))).equals(CONTENT),
    ).toBe(true);
    await stored?.close();
    expect((await listAll()).map((name) => name.split('/').at(-1))).toEqual(['upload-1.mp4']);
  });

  test('a sealed file is complete for a process that did not seal it, and accepts nothing more', async () => {
    const { one, other } = await newStores();
    await write(one, CONTENT.subarray(0, 1_000));
    const sealed = await resume(one);
    await sealed.seal();
    await sealed.close();
    const file = await resume(other);
    expect(file.size).toBe(1_000);
    await file.seal();
    const start = Buffer.alloc(12);
    expect(await file.read(start, 0)).toBe(12);
    expect(start.equals(CONTENT.subarray(0, 12))).toBe(true);
    await file.commit('upload-1.mp4');
    expect((await one.stat('video', 'upload-1.mp4'))?.size).toBe(1_000);
  });

  test('the beginning of a small file is readable before it is sealed', async () => {
    const { one, other } = await newStores();
    await write(one, CONTENT.subarray(0, 5));
    const file = await resume(other);
    const start = Buffer.alloc(5);
    expect(await file.read(start, 0)).toBe(5);
    expect(start.equals(CONTENT.subarray(0, 5))).toBe(true);
    await file.close();
  });

  test('a file that is truncated, or removed by another process, leaves nothing', async () => {
    const { one, other, listAll } = await newStores();
    await write(one, CONTENT.subarray(0, 9 * MB));
    const file = await resume(other);
    await file.truncate();
    expect(file.size).toBe(0);
    await append(file, CONTENT.subarray(0, 9 * MB));
    await file.close();
    await one.remove('video', ['upload-1', 'upload-1.mp4']);
    const removed = await resume(one);
    expect(removed.size).toBe(0);
    await removed.close();
    expect((await listAll()).filter((name) => name.includes('upload-1') && !name.endsWith('upload-1'))).toEqual([]);
  });

  test('a file that is removed while it is checked is not committed', async () => {
    const { one, other } = await newStores();
    await write(one, CONTENT.subarray(0, 9 * MB));
    const file = await resume(one);
    await file.seal();
    await other.remove('video', ['upload-1']);
    await expect(file.commit('upload-1.mp4')).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await other.stat('video', 'upload-1.mp4')).toBeNull();
  });

  test.each(['a.mp4', '../a', ''])('the name %j is rejected', async (name) => {
    const { one } = await newStores();
    await expect(one.resumeShared('video', name, SIZE)).rejects.toMatchObject({ kind: 'bad_name' });
  });
});

describe.skipIf(!isSwiftInstalled())('shared files in a bucket', { timeout: 90_000 }, () => {
  test('of a process that was killed, other processes continue after its last complete part', async () => {
    const { one, other } = await sharedBucket();
    await write(one, CONTENT.subarray(0, 3 * MB));
    const killed = await resume(one);
    await append(killed, CONTENT.subarray(3 * MB, 18 * MB));
    // Its parts arrive, but it never stores what follows them.
    await expect.poll(async () => (await sizeFor(other)) / MB, { timeout: 90_000 }).toBe(16);
    await write(other, CONTENT.subarray(16 * MB));
    const file = await resume(other);
    await file.seal();
    expect((await bytesOf((buffer, at, end) => file.read(buffer, at, end))).equals(CONTENT)).toBe(true);
    await file.close();
  });

  test('a removed file is missing for the process that writes it, and abandoned parts are removed', async () => {
    const { one, other, listAll } = await sharedBucket();
    await write(one, CONTENT.subarray(0, 9 * MB));
    const writer = await resume(one);
    await other.remove('video', ['upload-1']);
    const message = 'The file was deleted while it was being written.';
    await expect(append(writer, CONTENT.subarray(9 * MB)).finally(() => writer.close())).rejects.toMatchObject({
      message,
    });
    await write(one, CONTENT.subarray(0, 9 * MB));
    expect(await listAll()).not.toEqual([]);
    // Swift rounds times up to the next second, so parts are not immediately older than now.
    await expect
      .poll(async () => {
        await other.removeAbandoned();
        return listAll();
      })
      .toEqual([]);
  });

  async function sizeFor(store: FileStore): Promise<number> {
    const file = await resume(store);
    await file.close();
    return file.size;
  }
});
