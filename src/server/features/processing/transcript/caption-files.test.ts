import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSrt, toVtt } from './caption-files.ts';

const segment = (startSeconds: number, endSeconds: number, text: string) => ({ startSeconds, endSeconds, text });
/** The blocks of a file after the header. */
const cuesOf = (vtt: string) =>
  vtt
    .trimEnd()
    .split('\n\n')
    .slice(1)
    .filter(Boolean)
    .map((block) => block.split('\n'));

test('a segment becomes a cue', () => {
  expect(toVtt([segment(0.6, 3.789, 'One.'), segment(3_725, 3_726.5, 'Two.')])).toBe(
    'WEBVTT\n\n00:00:00.600 --> 00:00:03.789\nOne.\n\n01:02:05.000 --> 01:02:06.500\nTwo.\n',
  );
});

test('without segments the file has no cues', () => {
  expect(toVtt([])).toBe('WEBVTT\n');
});

test.each([
  ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
  ['an arrow --> here', 'an arrow --&gt; here'],
  ['<b>bold</b>', '&lt;b&gt;bold&lt;/b&gt;'],
  ['two\n\nlines', 'two lines'],
  ['NOTE this', 'NOTE this'],
])('%j is written as %j', (text, written) => {
  expect(cuesOf(toVtt([segment(0, 1, text)]))).toEqual([['00:00:00.000 --> 00:00:01.000', written]]);
});

test.each([
  ['an arrow --> here', 'an arrow --› here'],
  ['<i>slanted</i> {\\an8}top', '‹i›slanted‹/i› (\\an8}top'],
  ['two\r\n\r\nlines\n\n7', 'two lines 7'],
])('as SubRip, %j is written as %j', (text, written) => {
  expect(toSrt([segment(0.6, 3.789, text), segment(3_725, 3_726.5, 'Two.')])).toBe(
    `1\n00:00:00,600 --> 00:00:03,789\n${written}\n\n2\n01:02:05,000 --> 01:02:06,500\nTwo.\n`,
  );
});

test('a long segment becomes cues of two lines that share its time by their length', () => {
  const text =
    'I measured first, and most of the time went into one enormous bundle and into images that were far too large.';
  expect(cuesOf(toVtt([segment(4, 10, text)]))).toEqual([
    [
      '00:00:04.000 --> 00:00:08.278',
      'I measured first, and most of the time',
      'went into one enormous bundle and into',
    ],
    ['00:00:08.278 --> 00:00:10.000', 'images that were far too large.'],
  ]);
});

test('a text without spaces is cut between characters', () => {
  const cues = cuesOf(toVtt([segment(0, 10, '面'.repeat(100))]));
  expect(cues.map(([, ...lines]) => lines)).toEqual([['面'.repeat(42), '面'.repeat(42)], ['面'.repeat(16)]]);
});

test('a segment without an end is shown long enough to be read', () => {
  expect(toVtt([segment(5, 5, 'One.')])).toContain('00:00:05.000 --> 00:00:07.000');
});

const ms = (clock = '') => {
  const [hours, minutes, seconds] = clock.split(':').map(Number);
  return Math.round((((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1_000);
};
const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

test('any transcript becomes a valid file that contains every character', () => {
  const anySegment = fc
    .record({
      start: fc.integer({ min: 0, max: 9_999_999 }),
      length: fc.nat(20_000),
      text: fc.string({ unit: 'grapheme', maxLength: 300 }),
    })
    .map(({ start, length, text }) => segment(start / 1_000, (start + length) / 1_000, text));
  fc.assert(
    fc.property(fc.array(anySegment, { maxLength: 5 }), (segments) => {
      const cues = cuesOf(toVtt(segments));
      const srt = toSrt(segments).trimEnd().split('\n\n').filter(Boolean);
      expect(srt.map((block) => block.split('\n').slice(0, 2))).toEqual(
        cues.map(([times = ''], index) => [`${index + 1}`, times.replaceAll('.', ',')]),
      );
      let before = 0;
      for (const [times = '', ...lines] of cues) {
        expect(times).toMatch(/^\d\d:\d\d:\d\d\.\d{3} --> \d\d:\d\d:\d\d\.\d{3}$/);
        const [start = 0, end = 0] = times.split(' --> ').map(ms);
        expect(end).toBeGreaterThan(start);
        expect(start).toBeGreaterThanOrEqual(before);
        before = start;
        expect(lines.length === 1 || lines.length === 2).toBe(true);
        for (const line of lines) {
          expect([...unescaped(line)].length).toBeLessThanOrEqual(42);
          expect(line).not.toContain('-->');
          expect(line).not.toMatch(/<|&(?!amp;|lt;|gt;)/);
        }
      }
      const solid = (text: string) => [...text.replace(/\s+/g, '')].sort().join('');
      const shown = cues.flatMap(([, ...lines]) => lines.map(unescaped)).join('');
      expect(solid(shown)).toBe(solid(segments.map(({ text }) => text).join('')));
    }),
  );
});
