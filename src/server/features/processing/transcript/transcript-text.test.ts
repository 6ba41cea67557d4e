import fc from 'fast-check';
import { expect, test } from 'vitest';
import { transcriptText } from './transcript-text.ts';

const segment = (startSeconds: number, endSeconds: number, text: string) => ({ startSeconds, endSeconds, text });

test('sentences are joined', () => {
  expect(transcriptText([segment(0, 3, ' One. '), segment(3, 5, 'Two\n three.')])).toBe('One. Two three.');
});

test('a pause of more than two seconds begins a paragraph', () => {
  expect(transcriptText([segment(0, 3, 'One.'), segment(5, 6, 'Two.'), segment(8.1, 9, 'Three.')])).toBe(
    'One. Two.\n\nThree.',
  );
});

test('a paragraph ends with the first sentence after a minute', () => {
  const sentences = Array.from({ length: 8 }, (_, nth) => segment(nth * 15, nth * 15 + 15, `S${nth}.`));
  expect(transcriptText(sentences)).toBe('S0. S1. S2. S3.\n\nS4. S5. S6. S7.');
  const halves = sentences.map((sentence, nth) => (nth % 2 ? sentence : { ...sentence, text: `S${nth},` }));
  expect(transcriptText(halves)).toBe('S0, S1. S2, S3.\n\nS4, S5. S6, S7.');
});

test('speech without full stops has paragraphs too', () => {
  const spoken = Array.from({ length: 12 }, (_, nth) => segment(nth * 10, nth * 10 + 10, `s${nth}`));
  expect(transcriptText(spoken).split('\n\n')).toHaveLength(2);
});

test('without segments the text is empty', () => {
  expect(transcriptText([])).toBe('');
  expect(transcriptText([segment(0, 1, ' ')])).toBe('');
});

test('the text contains every word in order', () => {
  const anySegment = fc.record({ startSeconds: fc.nat(500), endSeconds: fc.nat(500), text: fc.string() });
  const words = (text: string) => text.split(/\s+/).filter(Boolean);
  fc.assert(
    fc.property(fc.array(anySegment), (segments) => {
      expect(words(transcriptText(segments))).toEqual(segments.flatMap(({ text }) => words(text)));
    }),
  );
});
