import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { plainText } from '#contracts/rules/plain-text.ts';
import { brokenMarkup, wellMarked } from '#support/question-markup.ts';
import { QuestionText } from '#web/features/interviews/dialogs/question-text.tsx';

const shown = (markup: string) => renderToStaticMarkup(<QuestionText markup={markup} />);
const OURS = [
  '<span class="break-words whitespace-pre-line">',
  '</span>',
  '<strong class="font-semibold">',
  '</strong>',
];
const tagsOf = (html: string) => new Set(html.match(/<[^>]*>/g));
/** What the page reads; React writes every `<` of a text as an entity. */
function textOf(html: string): string {
  const page = document.createElement('div');
  page.innerHTML = html;
  return page.textContent;
}
const letters = (text: string) => text.replace(/\s+/g, '');

test.each([
  ['<p>Why <b>us</b>?</p><p>And why now?</p>', 'Why us?\nAnd why now?'],
  ['One<br>two', 'One\ntwo'],
  ['<ul><li>One</li><li>two</li></ul>', 'One\ntwo'],
])('%o reads %o', (markup, text) => {
  expect(textOf(shown(markup))).toBe(text);
});

test('bold stays bold', () => {
  expect(shown('Why <B onclick="x">us</B>?')).toContain('Why <strong class="font-semibold">us</strong>?');
});

test('whatever markup a question has, nothing but bold text reaches the page, and no attribute', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        brokenMarkup,
        wellMarked.map(({ markup }) => markup),
      ),
      (markup) => {
        const html = shown(markup);
        expect([...tagsOf(html)].filter((tag) => !OURS.includes(tag))).toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
});

test('every word of a question is read, in its order, and nothing that is no text; a service reads the same', () => {
  fc.assert(
    fc.property(wellMarked, ({ markup, text }) => {
      expect(letters(textOf(shown(markup)))).toBe(letters(text));
      expect(letters(plainText(markup))).toBe(letters(text));
    }),
    { numRuns: 500 },
  );
});
