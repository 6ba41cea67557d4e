import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundTranscript } from './bound-transcript.ts';
import { transcriptText } from './transcript-text.ts';

const segment = (startSeconds: number, endSeconds: number, text: string) => ({ startSeconds, endSeconds, text });

test('what is short enough stays as it is', () => {
  const segments = [segment(0, 1, 'One.'), segment(1, 2, 'Two.')];
  expect(boundTranscript(segments, 9)).toEqual({ text: 'One. Two.', segments, isCut: false });
});

test.each([
  [8, 'One.', ['One.']],
  [10, 'One.\n\nTwo', ['One.', 'Two']],
  [11, 'One.\n\nTwo', ['One.', 'Two']],
  [15, 'One.\n\nTwo', ['One.', 'Two']],
  [17, 'One.\n\nTwo three.', ['One.', 'Two three.']],
])('of what is too long for %i characters the whole words are left', (most, text, texts) => {
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

test('whatever is said, it is the beginning of the transcript, and its segments have its words', () => {
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
