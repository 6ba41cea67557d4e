import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { MEDIA_DIR } from '#sandbox/interviews/recordings.ts';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import type { FileStore } from '#server/ports/file-store.ts';
import { mediabunnyRecordings } from './mediabunny-recordings.ts';

const recording = (name: string) => readFile(new URL(name, MEDIA_DIR));
let mp4: Buffer;
beforeAll(async () => {
  mp4 = await recording('eng-career-change.mp4');
});

/** Creates a store with one video. */
async function storeWith(content: Uint8Array): Promise<FileStore> {
  const folder = await mkdtemp(join(tmpdir(), 'inspector-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = await localFileStore(folder);
  const partial = await files.resume('video', 'a.mp4');
  await partial.append(content);
  await partial.commit();
  return files;
}

const durationOf = async (content: Uint8Array) =>
  mediabunnyRecordings({ files: await storeWith(content) }).durationSeconds('a.mp4');

test.each(['eng-career-change.mp4', 'eng-mentoring.webm', 'eng-microphone-off.mp4'])(
  'the length of %s is reported in whole seconds',
  async (name) => {
    const { durationSeconds } = JSON.parse((await recording(name.replace(/\.\w+$/, '.json'))).toString());
    const found = await durationOf(await recording(name));
    expect(Math.abs((found ?? 0) - durationSeconds)).toBeLessThanOrEqual(1);
    expect(Number.isInteger(found)).toBe(true);
  },
);

test('a webm without a duration, as browsers record it, is measured', async () => {
  const webm = await recording('eng-mentoring.webm');
  const stated = await durationOf(webm);
  // The Duration element (Matroska, id 0x4489, 8 bytes long) becomes a Void element of the same
  // size.
  const at = webm.indexOf(Buffer.from([0x44, 0x89, 0x88]));
  expect(at).toBeGreaterThan(0);
  Buffer.from([0xec, 0x89]).copy(webm, at);
  expect(Math.abs(((await durationOf(webm)) ?? 0) - (stated ?? 0))).toBeLessThanOrEqual(1);
});

test('a missing file has no length', async () => {
  expect(await mediabunnyRecordings({ files: await storeWith(mp4) }).durationSeconds('b.mp4')).toBeNull();
});

test.each<[string, () => Uint8Array]>([
  ['text', () => Buffer.from('no video at all')],
  ['nothing', () => new Uint8Array()],
  ['zeros', () => new Uint8Array(100_000)],
  ['a video without its end', () => mp4.subarray(0, 1_000)],
  ['a video without its beginning', () => mp4.subarray(1_000)],
  // A box that claims almost 2^32 bytes (ISO/IEC 14496-12, section 4.2).
  ['a box of an impossible length', () => Buffer.concat([mp4.subarray(0, 32), Buffer.from('fffffff06d6f6f76', 'hex')])],
])('%s has no length', async (_, content) => {
  expect(await durationOf(content())).toBeNull();
});

test('a damaged file that keeps the parser busy times out without delaying other work, and the next file is read', async () => {
  const inspector = mediabunnyRecordings({ files: await storeWith(endless(mp4)), limitMs: 500 });
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  expect(await inspector.durationSeconds('a.mp4')).toBeNull();
  delays.disable();
  expect(delays.max / 1e6).toBeLessThan(500);
  expect(await mediabunnyRecordings({ files: await storeWith(mp4) }).durationSeconds('a.mp4')).toBeGreaterThan(0);
});

test('random damage never throws', async () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const damaged = Buffer.from(mp4);
    for (let hit = 0; hit < 200; hit += 1)
      damaged[(seed * 7_919 + hit * 104_729) % damaged.length] = (seed * hit) % 256;
    const found = await mediabunnyRecordings({ files: await storeWith(damaged), limitMs: 300 }).durationSeconds(
      'a.mp4',
    );
    expect(found === null || found > 0).toBe(true);
  }
});

test('many files at the same time are all read', async () => {
  const inspector = mediabunnyRecordings({ files: await storeWith(mp4) });
  const found = await Promise.all(Array.from({ length: 20 }, () => inspector.durationSeconds('a.mp4')));
  expect(new Set(found)).toEqual(new Set([await inspector.durationSeconds('a.mp4')]));
});

test('the time until the thread has started does not count', async () => {
  const files = await storeWith(mp4);
  const limitMs = 2_000;
  const busy: FileStore = {
    ...files,
    async open(kind, name) {
      const opened = await files.open(kind, name);
      // Delays the first message of the thread, which starts in this turn of the event loop.
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limitMs + 500));
      return opened;
    },
  };
  expect(await mediabunnyRecordings({ files: busy, limitMs }).durationSeconds('a.mp4')).toBeGreaterThan(0);
});

/**
 * Returns the video with a sample-time table whose first entry claims four billion samples (ISO/IEC
 * 14496-12, section 8.6.1.2).
 */
function endless(video: Buffer): Buffer {
  const damaged = Buffer.from(video);
  for (let at = damaged.indexOf('stts'); at >= 0; at = damaged.indexOf('stts', at + 4))
    damaged.writeUInt32BE(0xffff_fff0, at + 12);
  return damaged;
}

test('a file that takes too long has no length and is closed', async () => {
  const files = await storeWith(mp4);
  let isClosed = false;
  const slow: FileStore = {
    ...files,
    async open(kind, name) {
      const opened = await files.open(kind, name);
      return (
        opened && {
          file: opened.file,
          read: (buffer, position) =>
            new Promise((resolve) => setTimeout(() => resolve(opened.read(buffer, position)), 30)),
          async close() {
            isClosed = true;
            await opened.close();
          },
        }
      );
    },
  };
  expect(await mediabunnyRecordings({ files: slow, limitMs: 1 }).durationSeconds('a.mp4')).toBeNull();
  expect(isClosed).toBe(true);
});
