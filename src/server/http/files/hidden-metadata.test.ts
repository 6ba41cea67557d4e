import { expect, test } from 'vitest';
import type { ReadableFile } from '#server/ports/file-store.ts';
import { hideMetadata } from './hidden-metadata.ts';

const NAME = 'Dana Moore';
const MEGABYTE = 2 ** 20;

/** A file in memory. */
const opened = (bytes: Buffer, etag: string): ReadableFile =>
  ({
    file: { size: bytes.length, etag },
    read: async (buffer: Uint8Array, position: number) => bytes.copy(buffer, 0, position),
    close: async () => {},
  }) as unknown as ReadableFile;

/** Returns the bytes that a recipient gets. */
async function sent(
  kind: 'video' | 'thumbnail',
  bytes: Buffer,
  name = expect.getState().currentTestName ?? '',
): Promise<Buffer> {
  const file = await hideMetadata(opened(bytes, name), { kind, name });
  const received = Buffer.alloc(bytes.length);
  await file.read(received, 0);
  return received;
}

function box(type: string, ...content: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + content.reduce((sum, part) => sum + part.length, 0));
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, ...content]);
}

const NAMED = box('udta', Buffer.from(NAME));
const FTYP = box('ftyp', Buffer.from('isom'));
const PICTURE = Buffer.from('the recording');

test.each([
  [
    'in each of 100 fragments',
    Array.from({ length: 100 }, () => [box('moof', box('traf', NAMED)), box('mdat', PICTURE)]).flat(),
  ],
  ['behind 100 fragments', [...Array.from({ length: 100 }, () => [box('moof'), box('mdat', PICTURE)]).flat(), NAMED]],
  [
    'next to an index of 9 MB',
    [box('moov', box('trak', box('mdia', box('minf', box('stbl', Buffer.alloc(9 * MEGABYTE)))), NAMED))],
  ],
])('a name %s of an MP4 is not sent, and the recording is', async (_, boxes) => {
  const bytes = Buffer.concat([FTYP, ...boxes, box('mdat', PICTURE)]);
  const received = await sent('video', bytes);
  expect(received.includes(NAME)).toBe(false);
  expect(received.subarray(-PICTURE.length)).toEqual(PICTURE);
});

/** A tag of ID3v2 with a footer. */
function id3(text: string): Buffer {
  const header = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0x10, 0, 0, text.length >> 7, text.length & 0x7f]);
  const footer = Buffer.from(header);
  footer.write('3DI', 'latin1');
  return Buffer.concat([header, Buffer.from(text), footer]);
}

test('the names in tags of an MP3 are not sent, and the recording is', async () => {
  const [first, second] = [id3(`TIT2 ${NAME}`), id3(NAME.repeat(20))];
  const frames = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0]), PICTURE]);
  const last = Buffer.alloc(128);
  last.write(`TAG${NAME}`);
  const tagged = await sent('video', Buffer.concat([first, second, frames, last]), 'tagged');
  const start = first.length + second.length;
  expect([tagged.includes(NAME), tagged.subarray(start, start + frames.length)]).toEqual([false, frames]);
  expect(await sent('video', Buffer.concat([frames, last]), 'last')).toEqual(
    Buffer.concat([frames, Buffer.alloc(128)]),
  );
});

test('a file whose metadata cannot be read is closed', async () => {
  let closed = 0;
  const file: ReadableFile = {
    ...opened(Buffer.alloc(100), 'unreadable'),
    read: () => Promise.reject(new Error('unreadable')),
    async close() {
      closed += 1;
    },
  };
  await expect(hideMetadata(file, { kind: 'video', name: 'unreadable' })).rejects.toThrow('unreadable');
  expect(closed).toBe(1);
});

const jpegSegment = (marker: number, text: string) =>
  Buffer.concat([Buffer.from([0xff, 0xff, 0xff, marker, 0, text.length + 2]), Buffer.from(text)]);

test('a comment behind fill bytes of a JPEG is not sent', async () => {
  const bytes = Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, 'JFIF'),
    jpegSegment(0xfe, NAME),
    Buffer.from([0xff, 0xda]),
  ]);
  const received = await sent('thumbnail', bytes);
  expect([received.includes(NAME), received.includes('JFIF')]).toEqual([false, true]);
});

function chunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, Buffer.from(type), content, Buffer.alloc(4)]);
}

test('a text behind 300 parts of a PNG is not sent', async () => {
  const parts = Array.from({ length: 300 }, () => chunk('IDAT', PICTURE));
  const bytes = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts, chunk('tEXt', Buffer.from(NAME))]);
  const received = await sent('thumbnail', bytes);
  expect([received.includes(NAME), received.includes(PICTURE)]).toEqual([false, true]);
});

/** An element of Matroska whose length takes four bytes. */
function element(id: number, ...content: readonly Buffer[]): Buffer {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  const hex = id.toString(16);
  return Buffer.concat([
    Buffer.from(hex, 'hex'),
    Buffer.from([0x10 | (length >> 24), length >> 16, length >> 8, length]),
    ...content,
  ]);
}

const [EBML, SEGMENT, SEEK_HEAD, INFO, CLUSTER, TAGS] = [
  0x1a45dfa3, 0x18538067, 0x114d9b74, 0x1549a966, 0x1f43b675, 0x1254c367,
];

/** An index that names a position in the segment. */
function seekHead(position: number): Buffer {
  const at = Buffer.alloc(4);
  at.writeUInt32BE(position);
  return element(SEEK_HEAD, element(0x4dbb, element(0x53ac, at)));
}

test('tags that only a second index of a WebM lists are not sent', async () => {
  const cluster = element(CLUSTER, PICTURE);
  const second = seekHead(0).length + cluster.length;
  const parts = [seekHead(second), cluster, seekHead(second + seekHead(0).length), element(TAGS, Buffer.from(NAME))];
  const received = await sent('video', Buffer.concat([element(EBML), element(SEGMENT, ...parts)]));
  expect([received.includes(NAME), received.includes(PICTURE)]).toEqual([false, true]);
});

test('a title of a WebM is not sent, nor the checksum that it no longer matches', async () => {
  const checksum = Buffer.from([0xbf, 0x84, 1, 2, 3, 4]);
  const info = element(INFO, checksum, element(0x7ba9, Buffer.from(NAME)));
  const received = await sent(
    'video',
    Buffer.concat([element(EBML), element(SEGMENT, info, element(CLUSTER, PICTURE))]),
  );
  expect([received.includes(NAME), received.includes(checksum), received.includes(PICTURE)]).toEqual([
    false,
    false,
    true,
  ]);
});

test('tags of unknown length do not hide the recording behind them', async () => {
  const tags = Buffer.concat([Buffer.from('1254c367', 'hex'), Buffer.from([0xff])]);
  const received = await sent(
    'video',
    Buffer.concat([element(EBML), element(SEGMENT, tags, element(CLUSTER, PICTURE))]),
  );
  expect(received.includes(PICTURE)).toBe(true);
});

test('requests at the same time search a file once', async () => {
  const bytes = Buffer.concat([FTYP, box('moov', NAMED)]);
  let reads = 0;
  const file = opened(bytes, 'once');
  const counted: ReadableFile = {
    ...file,
    read(...position) {
      reads += 1;
      return file.read(...position);
    },
  };
  await Promise.all(Array.from({ length: 20 }, () => hideMetadata(counted, { kind: 'video', name: 'once' })));
  const many = reads;
  reads = 0;
  await hideMetadata({ ...counted, file: { ...file.file, etag: 'another' } }, { kind: 'video', name: 'once' });
  expect(many).toBe(reads);
});

/** Reads the whole file in blocks, as for a recipient. */
async function readAll(bytes: Buffer, name: string): Promise<void> {
  const file = await hideMetadata(opened(bytes, name), { kind: 'video', name });
  const block = Buffer.alloc(64 * 1_024);
  for (let at = 0; at < bytes.length; at += block.length) await file.read(block, at);
}

test('boxes in one another are not copied for each of them', async () => {
  const bytes = Buffer.alloc(MEGABYTE);
  for (let at = 0; at < 8_000; at += 8) {
    bytes.writeUInt32BE(bytes.length - at, at);
    bytes.write('moov', at + 4);
  }
  const before = process.memoryUsage().arrayBuffers;
  await readAll(bytes, 'nested');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * MEGABYTE);
});

const repeated = (part: Buffer) => Buffer.concat(Array.from({ length: 250_000 }, () => part));

test.each([
  ['boxes of an MP4', () => Array.from({ length: 4 }, () => box('moov', repeated(box('skip'))))],
  [
    'titles of a WebM',
    () => {
      const information = element(INFO, repeated(Buffer.from([0x7b, 0xa9, 0x80])));
      return [element(EBML), element(SEGMENT, ...Array.from({ length: 4 }, () => information))];
    },
  ],
])('a million %s are sent within the time limit of a test', async (name, parts) => {
  await readAll(Buffer.concat(parts()), name);
});
