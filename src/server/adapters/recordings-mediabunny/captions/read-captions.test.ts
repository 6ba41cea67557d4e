import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { plainCueText } from './cue-text.ts';
import { readCaptions } from './read-captions.ts';

/** A file in memory. */
const captionsOf = (content: Buffer) =>
  readCaptions({
    input: null as never,
    size: content.length,
    read: async (start, end) => {
      if (end > content.length) throw new Error('The file is shorter.');
      return content.subarray(start, end);
    },
    alive: () => {},
  });

const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [nth, value] of values.entries()) bytes.writeUInt32BE(value, nth * 4);
  return bytes;
};

describe('mp4 and mov', () => {
  const box = (type: string, ...content: Buffer[]): Buffer => {
    const body = Buffer.concat(content);
    return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
  };
  const FTYP = box('ftyp', Buffer.from('isom'), u32(0));
  /** 1,000 units a second. */
  const track = (id: number, format: string, table: Buffer[], more: Buffer[] = []) =>
    box(
      'trak',
      box('tkhd', u32(0, 0, 0, id)),
      ...more,
      box(
        'mdia',
        box('mdhd', u32(0, 0, 0, 1_000)),
        box('minf', box('stbl', box('stsd', u32(0, 1), box(format, Buffer.alloc(8))), ...table)),
      ),
    );
  const text = (words: string) => Buffer.concat([u16(Buffer.byteLength(words)), Buffer.from(words)]);

  /** A file whose samples lie first, in chunks; `durations` in units. */
  function file(format: string, chunks: Buffer[][], durations: number[], more: Buffer[] = []): Buffer {
    const samples = chunks.flat();
    const data = box('mdat', ...samples);
    let at = FTYP.length + 8;
    const offsets = chunks.map((chunk) => {
      const start = at;
      at += Buffer.concat(chunk).length;
      return start;
    });
    const table = [
      box('stts', u32(0, durations.length, ...durations.flatMap((duration) => [1, duration]))),
      box('stsc', u32(0, chunks.length, ...chunks.flatMap((chunk, nth) => [nth + 1, chunk.length, 1]))),
      box('stsz', u32(0, 0, samples.length, ...samples.map(({ length }) => length))),
      box('stco', u32(0, offsets.length, ...offsets)),
    ];
    return Buffer.concat([FTYP, data, box('moov', track(1, 'avc1', []), track(2, format, table, []), ...more)]);
  }

  const CHUNKS = [
    [text(''), text('One\ntwo.')],
    [text(''), text('Äö 面 <i>three</i>.')],
  ];
  const DURATIONS = [600, 1_400, 500, 2_500];
  const CUES = [
    { startSeconds: 0.6, endSeconds: 2, text: 'One two.' },
    { startSeconds: 2.5, endSeconds: 5, text: 'Äö 面 three.' },
  ];

  test.each(['tx3g', 'text'])('timed text (%s), in several chunks with silence between', async (format) => {
    expect(await captionsOf(file(format, CHUNKS, DURATIONS))).toEqual(CUES);
  });

  test('text in UTF-16', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('Ja.', 'utf16le').swap16()]);
    const sample = Buffer.concat([u16(utf16.length), utf16]);
    expect(await captionsOf(file('tx3g', [[sample]], [1_000]))).toEqual([
      { startSeconds: 0, endSeconds: 1, text: 'Ja.' },
    ]);
  });

  test('WebVTT, with two cues at the same time', async () => {
    const cue = (words: string) => box('vttc', box('sttg', Buffer.from('align:left')), box('payl', Buffer.from(words)));
    const chunks = [[box('vtte'), Buffer.concat([cue('One &amp; two.'), cue('Three.')])]];
    expect(await captionsOf(file('wvtt', chunks, [1_000, 1_000]))).toEqual([
      { startSeconds: 1, endSeconds: 2, text: 'One & two. Three.' },
    ]);
  });

  test('a list of chapters is no captions', async () => {
    const movie = track(3, 'avc1', [], [box('tref', box('chap', u32(2)))]);
    expect(await captionsOf(file('text', CHUNKS, DURATIONS, [movie]))).toBeNull();
  });

  test('a file without a caption track, or without any table, has none', async () => {
    expect(await captionsOf(file('mp4a', CHUNKS, DURATIONS))).toBeNull();
    expect(await captionsOf(FTYP)).toBeNull();
  });

  test('tables that claim what is not there end, or are refused', async () => {
    const good = file('tx3g', CHUNKS, DURATIONS);
    for (let at = good.indexOf('stts') + 4; at < good.length - 4; at += 4) {
      const damaged = Buffer.from(good);
      damaged.writeUInt32BE(0xffff_fff0, at);
      await captionsOf(damaged).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
    }
  });
});

describe('matroska', () => {
  /** Sizes of eight bytes, as long as may be. */
  const element = (id: number, ...content: Buffer[]): Buffer => {
    const body = Buffer.concat(content);
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE((1n << 56n) | BigInt(body.length));
    return Buffer.concat([idBytes(id), size, body]);
  };
  const endless = (id: number, ...content: Buffer[]): Buffer =>
    Buffer.concat([idBytes(id), Buffer.from('01ffffffffffffff', 'hex'), ...content]);
  const idBytes = (id: number) => Buffer.from(id.toString(16), 'hex');
  const number = (id: number, value: number) => element(id, u32(value));

  const HEADER = element(0x1a45dfa3, element(0x4282, Buffer.from('matroska')));
  const info = (scale: number) => element(0x1549a966, number(0x2ad7b1, scale));
  const trackEntry = (codec: string, ...more: Buffer[]) =>
    element(0xae, number(0xd7, 2), number(0x83, 0x11), element(0x86, Buffer.from(codec)), ...more);
  const video = element(0xae, number(0xd7, 1), number(0x83, 1), element(0x86, Buffer.from('V_VP9')));
  const tracks = (...entries: Buffer[]) => element(0x1654ae6b, video, ...entries);
  const block = (track: number, at: number, body: Buffer) =>
    Buffer.concat([Buffer.from([0x80 | track]), u16(at), Buffer.from([0]), body]);
  const cue = (at: number, duration: number, body: string | Buffer) =>
    element(0xa0, element(0xa1, block(2, at, Buffer.from(body))), number(0x9b, duration));
  const frame = (at: number) => element(0xa3, block(1, at, Buffer.alloc(300_000, 0xa0)));

  const clustersBy = (make: typeof element) => [
    make(0x1f43b675, number(0xe7, 0), frame(0), cue(600, 1_400, 'One\n<i>two</i>.'), frame(40)),
    make(0x1f43b675, number(0xe7, 60_000), frame(0), cue(500, 2_500, '{\\an8}Three.')),
  ];
  const CUES = [
    { startSeconds: 0.6, endSeconds: 2, text: 'One two.' },
    { startSeconds: 60.5, endSeconds: 63, text: 'Three.' },
  ];
  const file = (entry: Buffer, clusters = clustersBy(element)) =>
    Buffer.concat([HEADER, element(0x18538067, info(1_000_000), tracks(entry), ...clusters)]);

  test.each(['S_TEXT/UTF8', 'S_TEXT/WEBVTT'])('captions (%s) between frames', async (codec) => {
    expect(await captionsOf(file(trackEntry(codec)))).toEqual(CUES);
  });

  test('a live recording, whose segment and clusters do not say where they end', async () => {
    const live = endless(0x18538067, info(1_000_000), tracks(trackEntry('S_TEXT/UTF8')), ...clustersBy(endless));
    expect(await captionsOf(Buffer.concat([HEADER, live]))).toEqual(CUES);
  });

  test("WebM's older form has two lines before the text", async () => {
    const clusters = [element(0x1f43b675, number(0xe7, 0), cue(0, 1_000, 'id\nalign:start\nOne\ntwo.'))];
    expect(await captionsOf(file(trackEntry('D_WEBVTT/SUBTITLES'), clusters))).toEqual([
      { startSeconds: 0, endSeconds: 1, text: 'One two.' },
    ]);
  });

  test('captions packed with zlib, as mkvmerge packs them', async () => {
    const packed = element(0x6d80, element(0x6240, element(0x5034, number(0x4254, 0))));
    const clusters = [element(0x1f43b675, number(0xe7, 0), cue(0, 1_000, deflateSync('One.')))];
    expect(await captionsOf(file(trackEntry('S_TEXT/UTF8', packed), clusters))).toEqual([
      { startSeconds: 0, endSeconds: 1, text: 'One.' },
    ]);
  });

  test('captions that are pictures, or encrypted, are none', async () => {
    expect(await captionsOf(file(trackEntry('S_HDMV/PGS')))).toBeNull();
    const encrypted = element(0x6d80, element(0x6240, element(0x5035)));
    expect(await captionsOf(file(trackEntry('S_TEXT/UTF8', encrypted)))).toBeNull();
  });

  test('a file without captions is not walked through', async () => {
    const content = Buffer.concat([HEADER, element(0x18538067, info(1), tracks(), ...clustersBy(element))]);
    const reads: number[] = [];
    const found = await readCaptions({
      input: null as never,
      size: content.length,
      read: async (start, end) => {
        reads.push(end);
        return content.subarray(start, end);
      },
      alive: () => {},
    });
    expect([found, Math.max(...reads) < content.length / 2]).toEqual([null, true]);
  });

  test('damage ends, one way or the other', async () => {
    const good = file(trackEntry('S_TEXT/UTF8'), [element(0x1f43b675, number(0xe7, 0), cue(0, 9, 'One.'))]);
    for (let at = 4; at < good.length; at += 1)
      for (const value of [0, 1, 0x80, 0xff]) {
        const damaged = Buffer.from(good);
        damaged[at] = value;
        await captionsOf(damaged).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
      }
  });
});

test.each([
  ['<v Ana>One <b>two</b></v>', 'One two'],
  ['<00:01.500>one', 'one'],
  ['a &lt; b &amp;&nbsp;c', 'a < b & c'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['&unknown; {\\pos(1,2)}x\0', '&unknown; x'],
])('%j says %j', (text, plain) => {
  expect(plainCueText(text)).toBe(plain);
});
