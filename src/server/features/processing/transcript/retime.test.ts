import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { retime } from './retime.ts';
import { transcriptText } from './transcript-text.ts';

const segment = (startSeconds: number, endSeconds: number, text: string) => ({ startSeconds, endSeconds, text });
const SPOKEN = [
  segment(0, 3, 'Our product list took eight seconds.'),
  segment(4, 8, 'I measured first.'),
  segment(20, 26, 'We added a size budget.'),
];
const textsOf = (edited: string, segments = SPOKEN) => retime(segments, edited).map(({ text }) => text);

test('an unchanged text keeps its segments', () => {
  expect(retime(SPOKEN, transcriptText(SPOKEN))).toEqual(SPOKEN);
});

describe.each<[string, string, string[]]>([
  [
    'a corrected word stays where it was',
    'Our product page took eight seconds. I measured first. We added a size budget.',
    ['Our product page took eight seconds.', 'I measured first.', 'We added a size budget.'],
  ],
  [
    'letter case and punctuation are taken over',
    'Our Product list took eight seconds! I measured first; we added a size budget.',
    ['Our Product list took eight seconds!', 'I measured first;', 'we added a size budget.'],
  ],
  [
    'words put in stay with their sentence',
    'Our product list took almost eight seconds. Of course I measured first. We added a size budget.',
    ['Our product list took almost eight seconds.', 'Of course I measured first.', 'We added a size budget.'],
  ],
  [
    'a sentence put in joins the one before',
    'Our product list took eight seconds. I measured first. Then I acted. We added a size budget.',
    ['Our product list took eight seconds.', 'I measured first. Then I acted.', 'We added a size budget.'],
  ],
  [
    'a segment without words left vanishes',
    'Our product list took eight seconds. We added a size budget.',
    ['Our product list took eight seconds.', 'We added a size budget.'],
  ],
  [
    'words before the first and after the last join these',
    'Well, our product list took eight seconds. I measured first. We added a size budget. Thanks',
    ['Well, our product list took eight seconds.', 'I measured first.', 'We added a size budget. Thanks'],
  ],
  ['an empty text has no segments', ' \n ', []],
])('%s', (_, edited, texts) => {
  test('', () => {
    expect(textsOf(edited)).toEqual(texts);
  });
});

test('a rewritten text is spread over the segments', () => {
  const result = retime(SPOKEN, 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda my');
  expect(result.map(({ startSeconds }) => startSeconds)).toEqual([0, 4, 20]);
});

test('without segments the result is empty', () => {
  expect(retime([], 'Some words.')).toEqual([]);
});

const words = (text: string) => text.split(/\s+/).filter(Boolean);
const word = fc.constantFrom('a', 'b', 'c', 'A.', 'b!', 'd');
const someText = fc.array(word, { maxLength: 30 }).map((list) => list.join(' '));
const someSegments = fc
  .array(someText, { maxLength: 8 })
  .map((texts) => texts.map((text, nth) => segment(nth * 5, nth * 5 + 4, text)));

test('the segments contain exactly the words of any edited text, in order, with existing times', () => {
  fc.assert(
    fc.property(someSegments, someText, (segments, edited) => {
      const result = retime(segments, edited);
      const hadWords = segments.some(({ text }) => text);
      expect(result.flatMap(({ text }) => words(text))).toEqual(hadWords ? words(edited) : []);
      const starts = result.map(({ startSeconds }) => startSeconds);
      expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
      expect(segments.map(({ startSeconds }) => startSeconds)).toEqual(expect.arrayContaining(starts));
    }),
  );
});

test('retiming two rewritten hours is fast', () => {
  const many = Array.from({ length: 2_000 }, (_, nth) => segment(nth * 4, nth * 4 + 4, `word${nth} `.repeat(15)));
  const edited = Array.from({ length: 30_000 }, (_, nth) => `other${nth}`).join(' ');
  const before = performance.now();
  const result = retime(many, edited);
  // Takes a quarter of a second; without the limit of the comparison it would take minutes.
  expect(performance.now() - before).toBeLessThan(15_000);
  expect(result.flatMap(({ text }) => words(text))).toHaveLength(30_000);
});

test('two hours with two thousand corrections keep every time', () => {
  // Each segment has one unique word among common ones, as in speech.
  const spoken = (nth: number) => `and then we did what ${nth} people asked of us at the time`;
  const many = Array.from({ length: 2_000 }, (_, nth) => segment(nth * 4, nth * 4 + 4, spoken(nth)));
  // A word is removed from each segment of the first half, so that all positions change.
  const edited = many.map(({ text }, nth) =>
    nth < 1_000 ? text.replace('then ', '') : text.replace('asked', 'wanted'),
  );
  expect(textsOf(edited.join('\n'), many)).toEqual(edited);
});
