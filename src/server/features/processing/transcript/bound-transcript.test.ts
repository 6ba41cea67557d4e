import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundTranscript, joinParts } from './bound-transcript.ts';
import { transcriptText } from './transcript-text.ts';

const segment = (startSeconds: number, endSeconds: number, text: string) => ({ startSeconds, endSeconds, text });

test('a short transcript is unchanged', () => {
  const segments = [segment(0, 1, 'One.'), segment(1, 2, 'Two.')];
  expect(boundTranscript(segments, 9)).toEqual({ text: 'One. Two.', segments, isCut: false });
});

test.each([
  [8, 'One.', ['One.']],
  [10, 'One.\n\nTwo', ['One.', 'Two']],
  [11, 'One.\n\nTwo', ['One.', 'Two']],
  [15, 'One.\n\nTwo', ['One.', 'Two']],
  [17, 'One.\n\nTwo three.', ['One.', 'Two three.']],
])('a transcript longer than %i characters is cut after a whole word', (most, text, texts) => {
  const segments = [
    segment(0, 1, 'One.'),
    segment(9, 10, ' Two  three.'),
    segment(10, 11, ' '),
    segment(11, 12, 'Four.'),
  ];
  const kept = boundTranscript(segments, most);
  expect(kept).toMatchObject({ text, isCut: true });
  expect(kept.segments.map((one) => one.text)).toEqual(texts);
});

test('a text without spaces is cut between characters', () => {
  const { text, segments } = boundTranscript([segment(0, 9, '話'.repeat(3_000))], 2_000);
  expect(text).toBe('話'.repeat(2_000));
  expect(segments).toEqual([segment(0, 9, text)]);
});

test('a cut transcript is the beginning of the whole one, and its segments contain the same words', () => {
  const anySegment = fc.record({
    startSeconds: fc.nat(500),
    endSeconds: fc.nat(500),
    text: fc.string({ unit: 'grapheme' }),
  });
  const words = (text: string) => text.split(/\s+/).filter(Boolean);
  fc.assert(
    fc.property(fc.array(anySegment), fc.nat(60), (said, most) => {
      const { text, segments, isCut } = boundTranscript(said, most);
      expect(text.length).toBeLessThanOrEqual(most);
      expect(isCut).toBe(transcriptText(said).length > most);
      expect(transcriptText(said).startsWith(text.replace(/\uFFFD$/, ''))).toBe(true);
      expect(segments.flatMap((one) => words(one.text))).toEqual(words(text));
    }),
  );
});

test('the times of joined parts count from the beginning of the recording', () => {
  const parts = [
    { startSeconds: 0, segments: [segment(0.5, 2, 'One.'), segment(2, 1_199, 'Two.')] },
    { startSeconds: 1_200, segments: [segment(0, 3, 'Three.')] },
  ];
  expect(joinParts(parts)).toEqual([
    segment(0.5, 2, 'One.'),
    segment(2, 1_199, 'Two.'),
    segment(1_200, 1_203, 'Three.'),
  ]);
});

test('a segment ends where the next part begins, and empty segments are dropped', () => {
  const parts = [
    { startSeconds: 0, segments: [segment(8, 14, ' One. '), segment(9, 10, ' ')] },
    { startSeconds: 10, segments: [segment(0, 1, 'Two.')] },
  ];
  expect(joinParts(parts)).toEqual([segment(8, 10, 'One.'), segment(10, 11, 'Two.')]);
});

test('no parts have no segments', () => {
  expect(joinParts([])).toEqual([]);
  expect(joinParts([{ startSeconds: 0, segments: [] }])).toEqual([]);
});

const seconds = fc.double({ min: -100, max: 2_000, noNaN: true });
const anySegment = fc.record({ startSeconds: seconds, endSeconds: seconds, text: fc.string() });
const anyPart = fc.record({
  startSeconds: fc.double({ min: 0, max: 8_000, noNaN: true }),
  segments: fc.array(anySegment),
});

test('joined segments are sorted by time, and no word is lost', () => {
  fc.assert(
    fc.property(fc.array(anyPart), (parts) => {
      const joined = joinParts(parts);
      for (const [nth, { startSeconds, endSeconds }] of joined.entries()) {
        expect(startSeconds).toBeGreaterThanOrEqual(joined[nth - 1]?.startSeconds ?? 0);
        expect(endSeconds).toBeGreaterThanOrEqual(startSeconds);
      }
      const said = parts.flatMap(({ segments }) => segments.map(({ text }) => text.trim())).filter(Boolean);
      expect(joined.map(({ text }) => text).sort()).toEqual(said.sort());
    }),
  );
});
