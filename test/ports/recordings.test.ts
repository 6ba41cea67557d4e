import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import {
  mediabunnyRecordings,
  type RecordingsOptions,
} from '#server/adapters/recordings-mediabunny/mediabunny-recordings.ts';
import { type FileStore, FileStoreError } from '#server/ports/file-store.ts';
import { type AudioPart, type Recordings, UnreadableRecording } from '#server/ports/recordings.ts';
import { BYTES_PER_SECOND, type Container, ofSamples, sample, writeLoopedSound } from '#support/make-recording.ts';

type Settings = Omit<RecordingsOptions, 'files'>;

const ADAPTERS: Record<string, (files: FileStore, settings?: Settings) => Recordings> = {
  mediabunny: (files, settings) => mediabunnyRecordings({ files, ...settings }),
};

const never = new AbortController().signal;
let mp4: Buffer;
let webm: Buffer;
beforeAll(async () => {
  mp4 = await sample('eng-slow-page.mp4');
  webm = await sample('eng-mentoring.webm');
});

/** A store in a new folder, by default removed when the test ends. `put` writes a video. */
async function newStore(onFinished: (clear: () => Promise<void>) => void = onTestFinished) {
  const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  onFinished(() => rm(folder, { recursive: true }));
  const files = await localFileStore(folder);
  await mkdir(join(folder, 'videos'));
  return {
    files,
    path: (name: string) => join(folder, 'videos', name),
    put: (name: string, content: Uint8Array) => writeFile(join(folder, 'videos', name), content),
  };
}

/** Reads the packets of a part with an independent reader. */
async function packetsOf(bytes: Uint8Array) {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const track = await input.getPrimaryAudioTrack();
  if (!track) throw new Error('The part has no sound.');
  const packets: { data: Buffer; timestamp: number }[] = [];
  for await (const { data, timestamp } of new EncodedPacketSink(track).packets())
    packets.push({ data: Buffer.from(data), timestamp });
  return { packets, codec: await track.getCodec(), seconds: await input.computeDuration() };
}

const soundOf = async (bytes: Uint8Array) =>
  Buffer.concat((await packetsOf(bytes)).packets.map(({ data }) => data)).toString('base64');

async function collected(parts: AsyncIterable<AudioPart>): Promise<AudioPart[]> {
  const all: AudioPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

async function partsOf(recordings: Recordings, from = 0): Promise<AudioPart[]> {
  return collected(recordings.audioParts('a', from, never));
}

describe.each(Object.entries(ADAPTERS))('recordings: %s', (_, adapter) => {
  let files: FileStore;
  /** The store of the running test. */
  const current = new Proxy({} as FileStore, { get: (_, method: keyof FileStore) => files[method] });
  /** Cached by settings, because starting threads takes longer than reading a recording. */
  const adapters = new Map<string, Recordings>();
  const adapterOn = (store: FileStore, settings: Settings = {}): Recordings => {
    files = store;
    const key = JSON.stringify(settings);
    const reused = adapters.get(key) ?? adapter(current, settings);
    adapters.set(key, reused);
    return reused;
  };
  const recordingsOf = async (content: Uint8Array, settings?: Settings) => {
    const store = await newStore();
    await store.put('a', content);
    return adapterOn(store.files, settings);
  };
  const look = async (content: Uint8Array, settings?: Settings) =>
    (await recordingsOf(content, settings)).inspect('a', never);
  const parts = async (content: Uint8Array, settings?: Settings) => partsOf(await recordingsOf(content, settings));

  describe('the contents of a recording', () => {
    test.each<[string, boolean, number]>([
      ['eng-slow-page.mp4', true, 27.67],
      ['eng-mentoring.webm', true, 21.42],
      ['eng-microphone-off.mp4', false, 20.42],
    ])('%s', async (name, hasSound, seconds) => {
      const found = await look(await sample(name));
      const pictureSize = { width: 640, height: 360 };
      expect(found).toEqual({ hasSound, pictureSize, durationSeconds: expect.closeTo(seconds, 1) });
    });

    test('a recording without sound has no parts', async () => {
      expect(await parts(await sample('eng-microphone-off.mp4'))).toEqual([]);
    });
  });

  describe('the sound in parts', () => {
    test.each<[string, string, string, string]>([
      ['eng-slow-page.mp4', 'aac', 'm4a', 'audio/mp4'],
      ['eng-mentoring.webm', 'opus', 'webm', 'audio/webm'],
    ])('a short recording (%s) is one part with every packet', async (name, codec, extension, contentType) => {
      const recording = await sample(name);
      const [part, ...others] = await parts(recording);
      expect(others).toEqual([]);
      expect(part).toMatchObject({ index: 0, startSeconds: 0, fileName: `part-1.${extension}`, contentType });
      const found = await packetsOf(part?.bytes ?? new Uint8Array());
      expect(found.codec).toBe(codec);
      expect(found.packets[0]?.timestamp).toBe(0);
      expect(found.seconds).toBeCloseTo(part?.durationSeconds ?? 0, 1);
      expect(await soundOf(part?.bytes ?? new Uint8Array())).toBe(await soundOf(recording));
    });

    test('parts begin at 0, are consecutive, and together contain every packet once', async () => {
      const found = await parts(mp4, { maxPartSeconds: 5 });
      expect(found.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
      for (const [nth, part] of found.entries()) {
        const before = found[nth - 1];
        expect(part.startSeconds).toBeCloseTo(before ? before.startSeconds + before.durationSeconds : 0, 1);
        expect(part.durationSeconds).toBeLessThanOrEqual(5);
        expect((await packetsOf(part.bytes)).packets[0]?.timestamp).toBe(0);
      }
      const packets = await Promise.all(found.map(async ({ bytes }) => (await packetsOf(bytes)).packets));
      expect(Buffer.concat(packets.flat().map(({ data }) => data)).toString('base64')).toBe(await soundOf(mp4));
    });

    test('parts stay below the size limit including their container', async () => {
      const found = await parts(mp4, { maxPartBytes: 60_000 });
      expect(found.length).toBeGreaterThan(2);
      expect(Math.max(...found.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(60_000);
    });

    test.each(['mp4', 'webm'])('reading a %s from its third part returns the same parts', async (kind) => {
      const recordings = await recordingsOf(kind === 'mp4' ? mp4 : webm, { maxPartSeconds: 5 });
      const all = await partsOf(recordings);
      const later = await partsOf(recordings, 2);
      expect(later.map(({ index }) => index)).toEqual(all.slice(2).map(({ index }) => index));
      for (const [nth, { bytes, ...part }] of later.entries()) {
        expect(part).toEqual({ ...part, ...all[nth + 2], bytes: undefined });
        expect(await soundOf(bytes)).toBe(await soundOf(all[nth + 2]?.bytes ?? new Uint8Array()));
      }
      expect(await partsOf(recordings, all.length)).toEqual([]);
    });

    test('a remainder too short for a word is dropped', async () => {
      const { packets } = await packetsOf(mp4);
      const withoutLast = (packets.at(-1)?.timestamp ?? 0) - (packets[0]?.timestamp ?? 0);
      const [part, ...others] = await parts(mp4, { maxPartSeconds: withoutLast + 0.01 });
      expect(others).toEqual([]);
      expect((await packetsOf(part?.bytes ?? new Uint8Array())).packets).toHaveLength(packets.length - 1);
    });

    test.each<[Container, 'pcm-s16' | 'pcm-s16be', (samples: Buffer) => Buffer]>([
      ['mkv', 'pcm-s16', (samples) => samples],
      ['mov', 'pcm-s16be', (samples) => Buffer.from(samples).swap16()],
    ])('uncompressed sound (%s, %s) becomes a wav file', async (container, codec, inWav) => {
      const samples = Buffer.from(Array.from({ length: 2 * BYTES_PER_SECOND }, (_, at) => (at * 7) % 251));
      const [part] = await parts(await ofSamples(container, codec, samples));
      expect(part).toMatchObject({ fileName: 'part-1.wav', contentType: 'audio/wav' });
      expect(await soundOf(part?.bytes ?? new Uint8Array())).toBe(inWav(samples).toString('base64'));
    });

    test('sound in an unsupported format is rejected with the name of the format', async () => {
      const odd = Buffer.from(webm);
      odd.write('A_ODDS', odd.indexOf('A_OPUS'));
      const recordings = await recordingsOf(odd);
      expect(await recordings.inspect('a', never)).toMatchObject({ hasSound: true });
      await expect(partsOf(recordings)).rejects.toThrow(UnreadableRecording);
      await expect(partsOf(recordings)).rejects.toThrow('A_ODDS');
    });
  });

  describe('a long recording', () => {
    const MINUTES = 45;
    const cleanup = new AsyncDisposableStack();
    let store: Awaited<ReturnType<typeof newStore>>;
    beforeAll(async () => {
      store = await newStore((clear) => cleanup.defer(clear));
      for (const [name, sound] of Object.entries({ 'a.mp4': mp4, 'a.webm': webm }))
        await writeLoopedSound(store.path(name), sound, MINUTES * 60);
    });
    afterAll(() => cleanup.disposeAsync());
    const long = async (container: 'mp4' | 'webm') => {
      const counted = counting(store.files);
      return { recordings: adapterOn(counted.files), name: `a.${container}`, ...counted };
    };

    test.each(['mp4', 'webm'] as const)(
      '(%s) is split every twenty minutes, with one part in memory at a time',
      async (kind) => {
        const { recordings, name, reads } = await long(kind);
        const found: { startSeconds: number; durationSeconds: number; size: number; readBefore: number }[] = [];
        for await (const { bytes, startSeconds, durationSeconds } of recordings.audioParts(name, 0, never))
          found.push({ startSeconds, durationSeconds, size: bytes.length, readBefore: reads.bytes });
        expect(found.map(({ startSeconds }) => startSeconds)).toEqual(
          [0, 1_200, 2_400].map((s) => expect.closeTo(s, 0)),
        );
        expect(found.map(({ durationSeconds }) => durationSeconds)).toEqual(
          [1_200, 1_200, 300].map((s) => expect.closeTo(s, 0)),
        );
        expect(
          Math.max(...found.map(({ size, durationSeconds }) => Math.max(size / 15e6, durationSeconds / 1_200))),
        ).toBeLessThanOrEqual(1);
        // Only the tables at the end of an mp4 file are read ahead of the requested part.
        expect(found[0]?.readBefore).toBeLessThan(reads.size * 0.6);
        expect(found[1]?.readBefore).toBeLessThan(reads.size * 0.98);
        expect(reads.bytes).toBeLessThan(reads.size * 1.2);
        expect(reads.largest).toBeLessThan(3_000_000);
      },
    );

    test('skipped parts are not read', async () => {
      const { recordings, name, reads } = await long('mp4');
      const [last] = await collected(recordings.audioParts(name, 2, never));
      expect(last).toMatchObject({ index: 2, fileName: 'part-3.m4a', startSeconds: expect.closeTo(2_400, 0) });
      expect(reads.bytes).toBeLessThan(reads.size / 2);
    });

    test('the file is closed when the caller stops early', async () => {
      const { recordings, name, reads } = await long('mp4');
      for await (const part of recordings.audioParts(name, 0, never)) if (part.index === 0) break;
      expect(reads.open).toBe(0);
      expect(reads.bytes).toBeLessThan(reads.size * 0.6);
    });
  });

  describe('an unreadable recording', () => {
    test.each<[string, () => Uint8Array]>([
      ['text', () => Buffer.from('not a video')],
      ['nothing', () => new Uint8Array()],
      ['zeros', () => new Uint8Array(100_000)],
      ['a video without its end', () => mp4.subarray(0, 1_000)],
      ['a video without its beginning', () => mp4.subarray(1_000)],
      // A box that claims almost 2^32 bytes (ISO/IEC 14496-12, section 4.2).
      [
        'a box of an impossible length',
        () => Buffer.concat([mp4.subarray(0, 32), Buffer.from('fffffff06d6f6f76', 'hex')]),
      ],
    ])('%s is unreadable', async (_, content) => {
      await expect(look(content())).rejects.toThrow(UnreadableRecording);
      await expect(parts(content())).rejects.toThrow(UnreadableRecording);
    });

    test('a missing file is unreadable', async () => {
      const recordings = await recordingsOf(mp4);
      await expect(recordings.inspect('b', never)).rejects.toThrow(UnreadableRecording);
      await expect(collected(recordings.audioParts('b', 0, never))).rejects.toThrow('no longer');
    });

    test('sound whose tables claim four thousand million packets does not run forever', async () => {
      await expect(parts(endless(mp4), { limitMs: 1_500 })).rejects.toThrow(UnreadableRecording);
    });

    test.each(['mp4', 'webm'])('the existing sound of a %s without its end is split into parts', async (kind) => {
      const whole = kind === 'mp4' ? mp4 : webm;
      const [part, ...others] = await parts(whole.subarray(0, whole.length / 2));
      expect(others).toEqual([]);
      expect(part?.durationSeconds).toBeGreaterThan(5);
      expect(part?.durationSeconds).toBeLessThan(16);
    });

    test('a packet longer than the file does not block the reader', async () => {
      const damaged = Buffer.from(mp4);
      // The first size in each table of sizes (ISO/IEC 14496-12, section 8.7.3).
      for (let at = damaged.indexOf('stsz'); at >= 0; at = damaged.indexOf('stsz', at + 4))
        damaged.writeUInt32BE(0x7fff_ffff, at + 16);
      expect(await parts(damaged, { limitMs: 1_500 })).toEqual([]);
    });

    test.each([1, 2, 3, 4, 5, 6, 7, 8])('randomly damaged files end with parts or an error (%i)', async (seed) => {
      const recordings = await recordingsOf(withRandomDamage(seed % 2 ? mp4 : webm, seed), { limitMs: 5_000 });
      const ended = await Promise.allSettled([recordings.inspect('a', never), partsOf(recordings)]);
      const reasons = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      expect(reasons.every((reason) => reason instanceof UnreadableRecording)).toBe(true);
    });

    test('a recording is read after a damaged one', async () => {
      const store = await newStore();
      await store.put('bad', endless(mp4));
      await store.put('a', mp4);
      const recordings = adapterOn(store.files, { limitMs: 5_000 });
      const [bad, good] = await Promise.allSettled([recordings.inspect('bad', never), recordings.inspect('a', never)]);
      expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled']);
    });
  });

  describe('a failing store', () => {
    const failing = async (read: () => Promise<number>, settings?: Settings) => {
      const store = await newStore();
      await store.put('a', mp4);
      const files: FileStore = {
        ...store.files,
        async open(kind, name) {
          const opened = await store.files.open(kind, name);
          return opened && { file: opened.file, close: () => opened.close(), read };
        },
      };
      return adapterOn(files, settings);
    };

    test('a failing store is reported as such, not as a damaged recording', async () => {
      const error = new FileStoreError('unavailable', 'The disk is missing.');
      const recordings = await failing(() => Promise.reject(error));
      await expect(recordings.inspect('a', never)).rejects.toBe(error);
      await expect(partsOf(recordings)).rejects.toBe(error);
    });

    test('a failing store is unavailable when it takes too long', async () => {
      const slow = () => new Promise<number>((resolve) => setTimeout(() => resolve(0), 2_000));
      const recordings = await failing(slow, { limitMs: 1_000 });
      await expect(recordings.inspect('a', never)).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });

  test('an aborted signal ends reading at once, with its reason', async () => {
    const recordings = await recordingsOf(mp4, { maxPartSeconds: 5 });
    const controller = new AbortController();
    const parts = recordings.audioParts('a', 0, controller.signal)[Symbol.asyncIterator]();
    await parts.next();
    controller.abort(new Error('enough'));
    await expect(parts.next()).rejects.toThrow('enough');
    await expect(recordings.inspect('a', controller.signal)).rejects.toThrow('enough');
    expect(await recordings.inspect('a', never)).toMatchObject({ hasSound: true });
  });
});

/**
 * Returns the video with a first entry in the table of sample times that claims four billion
 * samples (ISO/IEC 14496-12, section 8.6.1.2).
 */
function endless(video: Buffer): Buffer {
  const damaged = Buffer.from(video);
  for (let at = damaged.indexOf('stts'); at >= 0; at = damaged.indexOf('stts', at + 4))
    damaged.writeUInt32BE(0xffff_fff0, at + 12);
  return damaged;
}

function withRandomDamage(recording: Buffer, seed: number): Buffer {
  const damaged = Buffer.from(recording);
  for (let hit = 0; hit < 200; hit += 1) damaged[(seed * 7_919 + hit * 104_729) % damaged.length] = (seed * hit) % 256;
  return damaged;
}

/** A store that counts the bytes that are read from its files. */
function counting(files: FileStore) {
  const reads = { bytes: 0, largest: 0, size: 0, open: 0 };
  const counted: FileStore = {
    ...files,
    async open(kind, name) {
      const opened = await files.open(kind, name);
      if (!opened) return null;
      reads.size = opened.file.size;
      reads.open += 1;
      return {
        file: opened.file,
        async read(buffer, position) {
          reads.largest = Math.max(reads.largest, buffer.length);
          const read = await opened.read(buffer, position);
          reads.bytes += read;
          return read;
        },
        async close() {
          reads.open -= 1;
          await opened.close();
        },
      };
    },
  };
  return { files: counted, reads };
}
