import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONGEST_SECONDS } from '#contracts/rules/limits.ts';
import { toVtt } from '#server/features/processing/transcript/to-vtt.ts';
import { readCaptions } from './read-captions.ts';

/** Counts what a reader asks for: a file of a few hundred bytes must not keep it busy. */
const MOST_READS = 20_000;

async function captionsOf(content: Uint8Array) {
  let reads = 0;
  return readCaptions({
    input: null as never,
    size: content.length,
    read: async (start, end) => {
      reads += 1;
      if (reads > MOST_READS) throw new Error('The reader reads without end.');
      if (!(start >= 0 && start <= end && end <= content.length)) throw new RangeError('The file is shorter.');
      return content.subarray(start, end);
    },
    alive: () => {},
  });
}

const bytes = (text: string) => Buffer.from(text, 'latin1');
const u32 = (...values: number[]) => {
  const written = Buffer.alloc(values.length * 4);
  for (const [nth, value] of values.entries()) written.writeUInt32BE(value >>> 0, nth * 4);
  return written;
};
const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), bytes(type), body]);
};

/** An mp4 with one track of captions, its tables as given. */
function mp4(
  { stts, stsc, stsz, stco }: Record<'stts' | 'stsc' | 'stsz' | 'stco', readonly number[]>,
  scale = 1_000,
): Buffer {
  const table = box(
    'stbl',
    box('stsd', u32(0, 1), box('tx3g', Buffer.alloc(8))),
    box('stts', u32(0, ...stts)),
    box('stsc', u32(0, ...stsc)),
    box('stsz', u32(0, ...stsz)),
    box('stco', u32(0, ...stco)),
  );
  const track = box(
    'trak',
    box('tkhd', u32(0, 0, 0, 1)),
    box('mdia', box('mdhd', u32(0, 0, 0, scale)), box('minf', table)),
  );
  return Buffer.concat([
    box('ftyp', bytes('isom'), u32(0)),
    box('mdat', Buffer.from([0, 5]), bytes('Hello')),
    box('moov', track),
  ]);
}
const RIGHT_MP4 = mp4({ stts: [1, 1, 2_000], stsc: [1, 1, 1, 1], stsz: [0, 1, 7], stco: [1, 24] });

const element = (id: readonly number[], ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from(id), Buffer.from([0x40 | (body.length >> 8), body.length & 255]), body]);
};
const RIGHT_MATROSKA = Buffer.concat([
  element([0x1a, 0x45, 0xdf, 0xa3]),
  element(
    [0x18, 0x53, 0x80, 0x67],
    element([0x15, 0x49, 0xa9, 0x66], element([0x2a, 0xd7, 0xb1], u32(1_000_000))),
    element(
      [0x16, 0x54, 0xae, 0x6b],
      element(
        [0xae],
        element([0xd7], Buffer.from([1])),
        element([0x83], Buffer.from([0x11])),
        element([0x86], bytes('S_TEXT/UTF8')),
      ),
    ),
    element(
      [0x1f, 0x43, 0xb6, 0x75],
      element([0xe7], Buffer.from([0])),
      element([0xa0], element([0xa1], Buffer.from([0x81, 0, 0, 0]), bytes('Hello')), element([0x9b], u32(2_000))),
    ),
  ),
]);

test.for([
  ['mp4', RIGHT_MP4],
  ['Matroska', RIGHT_MATROSKA],
] as const)('the %s file that is changed below is read', async ([, file]) => {
  expect(await captionsOf(file)).toEqual([{ startSeconds: 0, endSeconds: 2, text: 'Hello' }]);
});

const change = fc.record({ at: fc.nat(400), remove: fc.nat(4), insert: fc.uint8Array({ maxLength: 8 }) });
const changed = fc
  .tuple(fc.constantFrom(RIGHT_MP4, RIGHT_MATROSKA), fc.array(change, { minLength: 1, maxLength: 6 }))
  .map(([file, changes]) =>
    changes.reduce<Buffer>((all, { at, remove, insert }) => {
      const place = at % all.length;
      return Buffer.concat([all.subarray(0, place), insert, all.subarray(place + remove + insert.length)]);
    }, file),
  );
/** Numbers that a table may claim. */
const claim = fc.oneof(
  fc.nat(4),
  fc.constantFrom(0x7f_ff_ff_ff, 0xff_ff_ff_ff, 0x01_00_00_00, 65_536, 65_537),
  fc.nat(300),
);
const claims = fc.array(claim, { maxLength: 8 });
const claimed = fc
  .tuple(fc.record({ stts: claims, stsc: claims, stsz: claims, stco: claims }), claim)
  .map(([tables, scale]) => mp4(tables, scale));
const random = fc
  .tuple(fc.constantFrom('', '\x1a\x45\xdf\xa3', '\0\0\0\x08ftyp', '\0\0\0\0moov'), fc.uint8Array({ maxLength: 300 }))
  .map(([start, rest]) => Buffer.concat([bytes(start), rest]));

test('whatever is in a file, its captions are cues that can be shown, or an error of ours, and soon', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, claimed, random), async (file) => {
      const began = performance.now();
      // A file that ends too early, and a table that leads outside, are told by the reading itself.
      const cues = await captionsOf(file).catch((error: unknown) => {
        if (error instanceof RangeError || (error as { code?: string }).code?.startsWith('Z_')) return null;
        throw error;
      });
      expect(performance.now() - began).toBeLessThan(2_000);
      for (const cue of cues ?? []) {
        expect(cue.startSeconds).toBeLessThanOrEqual(LONGEST_SECONDS);
        expect(cue.endSeconds).toBeGreaterThanOrEqual(cue.startSeconds);
      }
      expect(toVtt(cues ?? [])).toMatch(/^WEBVTT\n(\n\d\d+:\d\d:\d\d\.\d{3} --> \d\d+:\d\d:\d\d\.\d{3}\n(.+\n)+)*$/);
    }),
    { numRuns: 3_000, seed: 20_260_301 },
  );
});

test('a table of four thousand million samples ends where a recording would', async () => {
  const most = 0xff_ff_ff_ff;
  const began = performance.now();
  for (const size of [1, 100_000])
    await captionsOf(mp4({ stts: [1, most, 1], stsc: [1, 1, most, 1], stsz: [size, most], stco: [1, 0] })).catch(
      () => null,
    );
  expect(performance.now() - began).toBeLessThan(3_000);
});
