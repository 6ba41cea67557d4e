import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { s3FileStore } from '#server/adapters/file-store-s3/s3-file-store.ts';
import type { FileKind, FileStore, ReadableFile } from '#server/ports/file-store.ts';
import { HOW_TO_GET_SWIFT, isSwiftInstalled } from '#support/swift/find-swift.ts';
import { type Swift, startSwift } from '#support/swift/start-swift.ts';

interface Adapter {
  /** Creates an empty store. */
  newStore(): Promise<FileStore>;
  /** Whether an open file stays readable when it was replaced or removed. */
  keepsOpened: boolean;
}

let swift: Swift;
let prefixes = 0;

const ADAPTERS: Record<string, Adapter> = {
  local: { newStore: async () => localFileStore(await temporaryFolder()), keepsOpened: true },
  ...(isSwiftInstalled() && {
    s3: {
      async newStore() {
        prefixes += 1;
        return s3FileStore({
          endpoint: swift.endpoint,
          region: 'us-east-1',
          bucket: await bucket,
          prefix: `store-${prefixes}/`,
          forcePathStyle: true,
          credentials: swift.credentials,
          spoolFolder: await temporaryFolder(),
        });
      },
      keepsOpened: false,
    },
  }),
};

let bucket: Promise<string>;
beforeAll(async () => {
  if (!isSwiftInstalled()) return;
  swift = await startSwift();
  bucket = swift.createBucket();
});
afterAll(() => swift?.stop());

const NAMES_THAT_LEAVE = [
  '',
  '.',
  '..',
  '../secret',
  '..%2fsecret',
  '/etc/passwd',
  'a/b',
  'a\\b',
  'C:evil',
  '.hidden',
  'a\0b',
  'a\nb',
  'a b',
  'é.mp4',
  `${'a'.repeat(201)}`,
];

if (!isSwiftInstalled())
  test('file store: s3 is tested only where OpenStack Swift is installed', (context) => context.skip(HOW_TO_GET_SWIFT));

describe.each(Object.entries(ADAPTERS))('file store: %s', (_, { newStore, keepsOpened }) => {
  test('a committed file is complete and has a size and a time', async () => {
    const store = await newStore();
    const before = Date.now();
    await write(store, 'a.mp4', 'hello ', 'world');

    expect(await content(store, 'a.mp4')).toBe('hello world');
    const file = await store.stat('video', 'a.mp4');
    expect(file?.size).toBe(11);
    expect(Math.abs((file?.modifiedAt.getTime() ?? 0) - before)).toBeLessThan(10_000);
    expect(file?.etag).toMatch(/^[\w-]+$/);
  });

  test('a missing file is null, and removing it succeeds', async () => {
    const store = await newStore();
    expect(await store.stat('video', 'a.mp4')).toBeNull();
    expect(await store.open('video', 'a.mp4')).toBeNull();
    await store.remove('video', ['a.mp4', '../a']);
  });

  test('an empty file can be stored', async () => {
    const store = await newStore();
    await write(store, 'a.mp4');
    expect(await content(store, 'a.mp4')).toBe('');
  });

  test('a video and a thumbnail may have the same name', async () => {
    const store = await newStore();
    await write(store, 'a', 'video');
    expect(await store.stat('thumbnail', 'a')).toBeNull();
    await store.remove('thumbnail', ['a']);
    expect(await content(store, 'a')).toBe('video');
  });

  test.each(NAMES_THAT_LEAVE)('the name %j is rejected', async (name) => {
    const store = await newStore();
    expect(await store.stat('video', name)).toBeNull();
    expect(await store.open('video', name)).toBeNull();
    await expect(store.resume('video', name)).rejects.toMatchObject({ name: 'FileStoreError', kind: 'bad_name' });
    await store.remove('video', [name]);
  });

  test('names of up to 200 letters, digits, dots, hyphens and underscores are accepted', async () => {
    const store = await newStore();
    for (const name of ['a'.repeat(200), 'A_b-c..d.mp4', '0']) {
      await write(store, name, name);
      expect(await content(store, name)).toBe(name);
    }
  });

  test('a read starts at any position, fills the buffer, and returns 0 after the end', async () => {
    const store = await newStore();
    await write(store, 'a', '0123456789');
    const file = await opened(store, 'a');
    const buffer = Buffer.alloc(4);
    expect(await file.read(buffer, 3)).toBe(4);
    expect(buffer.toString()).toBe('3456');
    expect(await file.read(buffer, 8)).toBe(2);
    expect(await file.read(buffer, 10)).toBe(0);
    expect(await file.read(buffer, 99)).toBe(0);
  });

  test('a partial file is never visible, and is kept for a later attempt', async () => {
    const store = await newStore();
    const first = await store.resume('video', 'a');
    expect(first.size).toBe(0);
    await first.append(Buffer.from('half '));
    expect(await store.stat('video', 'a')).toBeNull();
    expect(await store.open('video', 'a')).toBeNull();
    await first.close();
    expect(await store.open('video', 'a')).toBeNull();

    const second = await store.resume('video', 'a');
    expect(second.size).toBe(5);
    await second.append(Buffer.from('and half'));
    expect(second.size).toBe(13);
    await second.commit();
    expect(await content(store, 'a')).toBe('half and half');

    const third = await store.resume('video', 'a');
    expect(third.size).toBe(0);
    await third.close();
  });

  test('truncating a partial file starts it over', async () => {
    const store = await newStore();
    const file = await store.resume('video', 'a');
    await file.append(Buffer.from('wrong and long'));
    await file.truncate();
    expect(file.size).toBe(0);
    await file.append(Buffer.from('right'));
    await file.commit();
    expect(await content(store, 'a')).toBe('right');
  });

  test('a buffer may be reused after append', async () => {
    const store = await newStore();
    const file = await store.resume('video', 'a');
    const chunk = Buffer.alloc(1);
    for (const letter of 'abc') {
      chunk.write(letter);
      await file.append(chunk);
    }
    await file.commit();
    expect(await content(store, 'a')).toBe('abc');
  });

  test('new content under the same name replaces the old one at once, with a new ETag', async () => {
    const store = await newStore();
    const etags = new Set<string | undefined>();
    for (const text of ['one', 'two', 'six']) {
      await write(store, 'a', text);
      expect(await content(store, 'a')).toBe(text);
      etags.add((await store.stat('video', 'a'))?.etag);
    }
    expect(etags.size).toBe(3);
  });

  test('the ETag only changes with the content, and is the same from stat and open', async () => {
    const store = await newStore();
    await write(store, 'a', 'text');
    const file = await opened(store, 'a');
    expect(file.file).toEqual(await store.stat('video', 'a'));
    expect(await store.stat('video', 'a')).toEqual(await store.stat('video', 'a'));
  });

  test('an open file returns bytes of the opened content after it was replaced or removed, or throws', async () => {
    const store = await newStore();
    await write(store, 'a', 'old content');
    const old = await opened(store, 'a');
    await write(store, 'a', 'new');
    const replaced = await opened(store, 'a');
    await store.remove('video', ['a']);

    expect(await store.open('video', 'a')).toBeNull();
    const results = await Promise.allSettled([textOf(old), textOf(replaced)]);
    const texts = results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.kind));
    if (keepsOpened) expect(texts).toEqual(['old content', 'new']);
    else
      for (const [index, text] of texts.entries()) expect([['old content', 'new'][index], 'changed']).toContain(text);
  });

  test('closing one reader, even twice, does not affect the others', async () => {
    const store = await newStore();
    await write(store, 'a', 'shared');
    const [one, two] = [await opened(store, 'a'), await opened(store, 'a')];
    await one.close();
    await one.close();
    await expect(one.read(Buffer.alloc(1), 0)).rejects.toMatchObject({ name: 'FileStoreError' });
    expect(await textOf(two)).toBe('shared');
  });

  test('reads with a known end return the same bytes as others, at any position', async () => {
    const store = await newStore();
    const text = 'abcdefghij'.repeat(20_000);
    await write(store, 'a', text);
    const file = await opened(store, 'a');
    const buffer = Buffer.alloc(60_000);
    for (const [position, end] of [
      [0, 200_000],
      [60_000, 200_000],
      [5, 60_005],
      [150_000, 200_000],
      [199_990, 300_000],
      [7, 9],
    ] as const) {
      const bytes = await file.read(buffer, position, end);
      expect(bytes).toBeGreaterThan(0);
      expect(buffer.toString('latin1', 0, bytes)).toBe(text.slice(position, position + bytes));
    }
    expect(await file.read(buffer, 200_000, 300_000)).toBe(0);
  });

  test('many writers of different files do not interfere with each other', async () => {
    const store = await newStore();
    const names = Array.from({ length: 40 }, (_, index) => `file-${index}`);
    await Promise.all(names.map((name) => write(store, name, ...Array<string>(20).fill(`${name} `))));
    for (const name of names) expect(await content(store, name)).toBe(`${name} `.repeat(20));
  });

  test('a second writer of the same file is rejected until the first has finished', async () => {
    const store = await newStore();
    const first = await store.resume('video', 'a');
    await expect(store.resume('video', 'a')).rejects.toMatchObject({ name: 'FileStoreError', kind: 'busy' });
    await (await store.resume('thumbnail', 'a')).close();
    await first.append(Buffer.from('first'));
    await first.close();
    await first.close();
    const second = await store.resume('video', 'a');
    await first.close();
    await expect(store.resume('video', 'a')).rejects.toMatchObject({ kind: 'busy' });
    await second.commit();
    await second.close();
    expect(await content(store, 'a')).toBe('first');
  });

  test('a closed writer refuses data and a commit', async () => {
    const store = await newStore();
    const file = await store.resume('video', 'a');
    await file.close();
    await expect(file.append(Buffer.from('late'))).rejects.toMatchObject({ name: 'FileStoreError' });
    await expect(file.commit()).rejects.toMatchObject({ name: 'FileStoreError' });
    expect(await store.stat('video', 'a')).toBeNull();
  });

  test('remove deletes the partial file too, and a current writer cannot restore it', async () => {
    const store = await newStore();
    const writing = await store.resume('video', 'a');
    await writing.append(Buffer.from('half'));
    await store.remove('video', ['a']);
    await expect(writing.commit()).rejects.toMatchObject({ name: 'FileStoreError' });
    expect(await store.stat('video', 'a')).toBeNull();

    const next = await store.resume('video', 'a');
    expect(next.size).toBe(0);
    await next.close();
  });

  test('remove deletes several files and keeps the others', async () => {
    const store = await newStore();
    for (const name of ['a', 'b', 'c']) await write(store, name, name);
    await store.remove('video', ['a', 'unknown', 'c']);
    expect([await content(store, 'a'), await content(store, 'b'), await content(store, 'c')]).toEqual([
      null,
      'b',
      null,
    ]);
  });

  test('a file that was just written is found by any of its possible names, a partial file is not', async () => {
    const store = await newStore();
    await write(store, 'a.webm', 'video');
    await (await store.resume('video', 'b.mp4')).close();
    expect(await store.findWritten('video', ['a.mp4', 'a.webm'])).toMatchObject({ name: 'a.webm', size: 5 });
    expect(await store.findWritten('video', ['b.mp4', 'b.webm', '../a.webm'])).toBeNull();
    await store.remove('video', ['a.webm']);
    expect(await store.findWritten('video', ['a.mp4', 'a.webm'])).toBeNull();
  });

  test('a list contains the complete files of one kind', async () => {
    const store = await newStore();
    expect(await namesIn(store, 'video')).toEqual([]);
    for (const name of ['a.mp4', 'b.mp4']) await write(store, name, name);
    await (await store.resume('video', 'half')).close();
    const thumbnail = await store.resume('thumbnail', 't.jpg');
    await thumbnail.commit();
    expect([await namesIn(store, 'video'), await namesIn(store, 'thumbnail')]).toEqual([['a.mp4', 'b.mp4'], ['t.jpg']]);
  });

  test('removing what was abandoned keeps complete files and recent partial files', async () => {
    const store = await newStore();
    await write(store, 'a', 'complete');
    const partial = await store.resume('video', 'b');
    await partial.append(Buffer.from('half'));
    await partial.close();
    await store.removeAbandoned();
    await store.removeAbandoned();
    expect(await content(store, 'a')).toBe('complete');
    const resumed = await store.resume('video', 'b');
    expect(resumed.size).toBe(4);
    await resumed.close();
  });

  test('a probe returns the free space and leaves no file behind', async () => {
    const store = await newStore();
    await write(store, 'a', 'a');
    const { freeBytes, spoolFreeBytes } = await store.probe();
    expect(freeBytes === null || freeBytes > 0).toBe(true);
    expect(spoolFreeBytes).toBeGreaterThan(0);
    expect(await content(store, 'a')).toBe('a');
  });
});

async function namesIn(store: FileStore, kind: FileKind): Promise<string[]> {
  const names: string[] = [];
  for await (const name of store.list(kind)) names.push(name);
  return names.sort();
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'file-store-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function write(store: FileStore, name: string, ...chunks: string[]): Promise<void> {
  const file = await store.resume('video', name);
  for (const chunk of chunks) await file.append(Buffer.from(chunk));
  await file.commit();
}

async function opened(store: FileStore, name: string, kind: FileKind = 'video'): Promise<ReadableFile> {
  const file = await store.open(kind, name);
  if (!file) throw new Error(`${name} should be there`);
  onTestFinished(() => file.close());
  return file;
}

async function content(store: FileStore, name: string): Promise<string | null> {
  const file = await store.open('video', name);
  if (!file) return null;
  const text = await textOf(file);
  await file.close();
  return text;
}

async function textOf(file: ReadableFile): Promise<string> {
  const buffer = Buffer.alloc(file.file.size + 1);
  return buffer.toString('utf8', 0, await file.read(buffer, 0));
}
