import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputTrack } from 'mediabunny';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { mediabunnyRecordings } from '#server/adapters/recordings-mediabunny/mediabunny-recordings.ts';
import type { FileStore } from '#server/ports/file-store.ts';
import { type Recordings, UnreadableRecording } from '#server/ports/recordings.ts';
import { sample, writeLoopedSound } from '#support/make-recording.ts';

const ADAPTERS: Record<string, (files: FileStore) => Recordings> = {
  mediabunny: (files) => mediabunnyRecordings({ files }),
};

const never = new AbortController().signal;
const MP4 = 'eng-slow-page.mp4';
const WITHOUT_SOUND = 'eng-microphone-off.mp4';
const WEBM = 'eng-mentoring.webm';

async function newStore(...samples: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'join-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = await localFileStore(folder);
  const videos = join(folder, 'videos');
  await mkdir(videos);
  for (const name of samples) await writeFile(join(videos, name), await sample(name));
  return { files, path: (name: string) => join(videos, name), names: () => readdir(videos) };
}

/** Reads a recording with an independent reader. */
async function contentOf(bytes: Uint8Array) {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  return {
    video: await packetsOf(await input.getPrimaryVideoTrack()),
    audio: await packetsOf(await input.getPrimaryAudioTrack()),
  };
}

async function packetsOf(track: InputTrack | null) {
  const packets: { data: Buffer; timestamp: number; duration: number }[] = [];
  if (track)
    for await (const { data, timestamp, duration } of new EncodedPacketSink(track).packets())
      packets.push({ data: Buffer.from(data), timestamp, duration });
  return packets;
}

const bytesOf = (packets: readonly { data: Buffer }[]) => Buffer.concat(packets.map(({ data }) => data));
/** Packets before 0 only prepare a decoder. */
const heard = <P extends { timestamp: number }>(packets: readonly P[]) => packets.filter((one) => one.timestamp >= 0);

/**
 * Returns the longest time without a packet. A file declares the packet before a gap as long as the
 * gap, so each packet counts with the median length.
 */
function longestGap(packets: readonly { timestamp: number; duration: number }[]): number {
  const shown = packets.toSorted((a, b) => a.timestamp - b.timestamp);
  const lengths = packets.map(({ duration }) => duration).sort((a, b) => a - b);
  const length = lengths[Math.floor(lengths.length / 2)] ?? 0;
  const gaps = shown.slice(1).map(({ timestamp }, index) => timestamp - ((shown[index]?.timestamp ?? 0) + length));
  return Math.max(0, ...gaps);
}

/** The box names of an mp4 (ISO/IEC 14496-12, section 4.2). */
function boxesOf(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    names.push(bytes.toString('latin1', at + 4, at + 8));
    const size = bytes.readUInt32BE(at);
    at += size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size;
  }
  return names;
}

describe.each(Object.entries(ADAPTERS))('joining recordings: %s', (_, adapter) => {
  async function joined(...samples: string[]) {
    const store = await newStore(...samples);
    const outcome = await adapter(store.files).join(samples, 'whole', never);
    if (outcome.status !== 'joined') throw new Error(outcome.reason);
    return { ...outcome, bytes: await readFile(store.path(outcome.name)) };
  }

  test('three mp4 become one mp4 whose tables come first, with every picture and sound once', async () => {
    const one = await contentOf(await sample(MP4));
    const { name, bytes, startSeconds, durationSeconds } = await joined(MP4, MP4, MP4);
    expect(name).toBe('whole.mp4');
    const boxes = boxesOf(bytes);
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'));
    const whole = await contentOf(bytes);
    expect(bytesOf(whole.video).equals(Buffer.concat([1, 2, 3].map(() => bytesOf(one.video))))).toBe(true);
    expect(bytesOf(whole.audio).equals(Buffer.concat([1, 2, 3].map(() => bytesOf(heard(one.audio)))))).toBe(true);
    expect(startSeconds).toEqual([0, 27.6, 55.2].map((seconds) => expect.closeTo(seconds, 0)));
    expect(durationSeconds).toBeCloseTo(82.8, 0);
    expect(whole.video.at(-1)?.timestamp).toBeLessThan(durationSeconds);
  });

  test('two webm become one webm', async () => {
    const one = await contentOf(await sample(WEBM));
    const { name, bytes, startSeconds } = await joined(WEBM, WEBM);
    expect(name).toBe('whole.webm');
    const whole = await contentOf(bytes);
    expect(bytesOf(whole.video).equals(Buffer.concat([bytesOf(one.video), bytesOf(one.video)]))).toBe(true);
    expect(startSeconds).toEqual([0, expect.closeTo(21.4, 1)]);
    expect(longestGap(whole.audio)).toBeLessThan(0.03);
  });

  test('picture and sound stay aligned, and the sound has no gap, where one recording follows another', async () => {
    const { bytes, startSeconds } = await joined(MP4, MP4, MP4);
    const { video, audio } = await contentOf(bytes);
    const first = await contentOf(await sample(MP4));
    const [pictures, sounds] = [first.video.length, heard(first.audio).length];
    for (const [index, start] of startSeconds.entries()) {
      expect(video[index * pictures]?.timestamp).toBeCloseTo(start, 3);
      expect(Math.abs((audio[index * sounds]?.timestamp ?? 0) - start)).toBeLessThan(0.024);
    }
    expect(longestGap(audio)).toBeLessThan(0.001);
    expect(longestGap(video)).toBeLessThan(0.1);
  });

  test('a recording without sound is filled with silence', async () => {
    const store = await newStore(MP4, WITHOUT_SOUND);
    // Only the sound is removed here: the settings of the picture have to be the same.
    const soundless = await withoutSound(await sample(MP4));
    await writeFile(store.path(WITHOUT_SOUND), soundless);
    const outcome = await adapter(store.files).join([MP4, WITHOUT_SOUND, MP4], 'whole', never);
    if (outcome.status !== 'joined') throw new Error(outcome.reason);
    const { audio } = await contentOf(await readFile(store.path(outcome.name)));
    expect(longestGap(audio)).toBeLessThan(0.001);
    const spoken = heard((await contentOf(await sample(MP4))).audio)[200];
    const inThird = audio.findLast(({ data }) => spoken && data.equals(spoken.data));
    const expected = (outcome.startSeconds[2] ?? 0) + (spoken?.timestamp ?? 0);
    expect(Math.abs((inThird?.timestamp ?? 0) - expected)).toBeLessThan(0.024);
  });

  test.each<[string, () => Promise<Buffer>, string]>([
    ['codec', () => sample(WEBM), 'Recording 2 has the codec vp9, the first one has avc.'],
    ['size', () => withSize(1_280, 720), 'Recording 2 has the size 1280 × 720, the first one has 640 × 360.'],
    ['level of the encoder', withOtherLevel, 'Recording 2 is encoded with other settings than the first one.'],
  ])('a recording with another %s is not joined, with the reason', async (_, other, reason) => {
    const store = await newStore(MP4);
    await writeFile(store.path('other'), await other());
    const outcome = await adapter(store.files).join([MP4, 'other'], 'whole', never);
    expect(outcome).toEqual({ status: 'different', reason });
    expect(await store.names()).toEqual([MP4, 'other']);
  });

  test('the rest of an interrupted join is replaced', async () => {
    const store = await newStore(MP4);
    const partial = await store.files.resume('video', 'whole');
    await partial.append(Buffer.from('half a file'));
    await partial.close();
    await adapter(store.files).join([MP4, MP4], 'whole', never);
    expect((await contentOf(await readFile(store.path('whole.mp4')))).video).toHaveLength(664);
  });

  test('an aborted join ends at once with its reason, and leaves no file', async () => {
    const store = await newStore(MP4);
    const controller = new AbortController();
    const files = appending(store.files, () => controller.abort(new Error('enough')));
    await expect(adapter(files).join([MP4, MP4], 'whole', controller.signal)).rejects.toThrow('enough');
    expect(await store.names()).not.toContain('whole.mp4');
  });

  test('damaged and missing recordings are unreadable', async () => {
    const store = await newStore(MP4);
    await writeFile(store.path('text.mp4'), 'not a video');
    const recordings = adapter(store.files);
    await expect(recordings.join([MP4, 'text.mp4'], 'whole', never)).rejects.toThrow(UnreadableRecording);
    await expect(recordings.join([MP4, 'missing.mp4'], 'whole', never)).rejects.toThrow('no longer');
  });

  test('long recordings are joined in small pieces', async () => {
    const store = await newStore();
    await writeLoopedSound(store.path('long.mp4'), await sample(MP4), 6 * 60);
    const pieces: number[] = [];
    const files = appending(store.files, (bytes) => pieces.push(bytes));
    const outcome = await adapter(files).join(['long.mp4', 'long.mp4'], 'whole', never);
    expect(outcome).toMatchObject({ status: 'joined', durationSeconds: expect.closeTo(720, 0) });
    expect(pieces.length).toBeGreaterThan(2);
    expect(Math.max(...pieces)).toBeLessThan(3_000_000);
  });
});

/** A store that reports the bytes of each append. */
const appending = (files: FileStore, onAppend: (bytes: number) => void): FileStore => ({
  ...files,
  async resume(kind, name) {
    const partial = await files.resume(kind, name);
    return {
      get size() {
        return partial.size;
      },
      append(chunk) {
        onAppend(chunk.length);
        return partial.append(chunk);
      },
      read: (buffer, position) => partial.read(buffer, position),
      truncate: () => partial.truncate(),
      commit: (name) => partial.commit(name),
      close: () => partial.close(),
    };
  },
});

/**
 * The recording with its sound track declared as another kind of track (ISO/IEC 14496-12, section
 * 8.4.3).
 */
async function withoutSound(recording: Buffer): Promise<Buffer> {
  const silent = Buffer.from(recording);
  silent.write('meta', silent.indexOf('soun'));
  return silent;
}

/** The recording with another size in its description (ISO/IEC 14496-12, section 12.1.3). */
async function withSize(width: number, height: number): Promise<Buffer> {
  const other = Buffer.from(await sample(MP4));
  const entry = other.indexOf('avc1', other.indexOf('stsd'));
  other.writeUInt16BE(width, entry + 28);
  other.writeUInt16BE(height, entry + 30);
  return other;
}

/**
 * The recording with another level in the description of its decoder (ISO/IEC 14496-15, section
 * 5.3.3).
 */
async function withOtherLevel(): Promise<Buffer> {
  const other = Buffer.from(await sample(MP4));
  other.writeUInt8(32, other.indexOf('avcC') + 7);
  return other;
}
