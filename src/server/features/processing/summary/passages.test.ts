import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passagesOf } from './passages.ts';
import { lettersOf } from './spoken-text.ts';

const segment = (text: string, startSeconds: number) => ({ text, startSeconds, endSeconds: startSeconds + 5 });

describe('passages', () => {
  test('passages are the segments with their times', () => {
    expect(passagesOf('Anything.', [segment(' One. ', 0), segment('  ', 5), segment('Two.', 10)])).toEqual([
      { text: 'One.', startSeconds: 0 },
      { text: 'Two.', startSeconds: 10 },
    ]);
  });

  test('without segments, passages are the paragraphs', () => {
    expect(passagesOf('One. Still one.\n\n Two. \n', [])).toEqual([
      { text: 'One. Still one.', startSeconds: null },
      { text: 'Two.', startSeconds: null },
    ]);
    expect(passagesOf('One.', [segment(' ', 3)])).toEqual([{ text: 'One.', startSeconds: null }]);
  });

  test('passages of a long segment are whole sentences with its time', () => {
    const sentence = 'We split the code by route, and served smaller pictures.';
    const passages = passagesOf('', [segment(`${sentence} `.repeat(30), 7)]);
    expect(passages.length).toBeGreaterThan(1);
    for (const { text, startSeconds } of passages) {
      expect(startSeconds).toBe(7);
      expect(text.replaceAll(sentence, '').trim()).toBe('');
    }
  });

  test('passages without full stops end after a word', () => {
    const passages = passagesOf('some words '.repeat(1_000), []);
    expect(passages.every(({ text }) => /^(some|words)( some| words)*$/.test(text) && text.length <= 500)).toBe(true);
  });

  test('passages of an endless word are cut between characters', () => {
    const passages = passagesOf(`x${'😀'.repeat(600)}`, []);
    expect(passages.length).toBeGreaterThan(2);
    expect(passages.every(({ text }) => text.isWellFormed())).toBe(true);
  });

  test('contain the whole text and have 1 to 500 characters', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 3_000 }),
      fc
        .array(fc.constantFrom('so ', 'Yes. ', '\n', '😀', 'x'.repeat(600), '系统。'), { maxLength: 60 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, fc.boolean(), (text, isTimed) => {
        const passages = isTimed ? passagesOf('', [segment(text, 1)]) : passagesOf(text, []);
        expect(lettersOf(passages.map((passage) => passage.text).join(''))).toBe(lettersOf(text));
        for (const passage of passages) {
          expect(passage.text.trim()).not.toBe('');
          expect(passage.text.length).toBeLessThanOrEqual(500);
        }
      }),
    );
  });
});
