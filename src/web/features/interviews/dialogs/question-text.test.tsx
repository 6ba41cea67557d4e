import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { plainText } from '#contracts/rules/plain-text.ts';
import { brokenMarkup, wellMarked } from '#support/question-markup.ts';
import { QuestionText } from './question-text.tsx';

const shown = (markup: string) => renderToStaticMarkup(<QuestionText markup={markup} />);
const OURS = [
  '<span class="break-words whitespace-pre-line">',
  '</span>',
  '<strong class="font-semibold">',
  '</strong>',
];
const tagsOf = (html: string) => new Set(html.match(/<[^>]*>/g));
/** Returns the text that the page shows. React escapes every `<` of a text. */
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
])('%o is shown as %o', (markup, text) => {
  expect(textOf(shown(markup))).toBe(text);
});

test('bold text stays bold', () => {
  expect(shown('Why <B onclick="x">us</B>?')).toContain('Why <strong class="font-semibold">us</strong>?');
});

test('only bold text and no attribute of the markup reaches the page', () => {
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

test('no attribute and no style element is parsed, so that browsers report no policy violation', () => {
  const parse = vi.spyOn(DOMParser.prototype, 'parseFromString');
  /** A name ends with white space, a slash or `>` (HTML, 13.2.5.8). Only the last may follow. */
  const reported = (markup: string) => {
    shown(markup);
    return parse.mock.lastCall?.[0].match(/<\/?(?:style[\s/>]|[a-z](?![^\s/>]*>)).*/gi) ?? [];
  };
  for (const markup of [
    '<svg/onload=leak()>',
    '<svg\n/onload="leak()"/style=x>',
    '<img/src=x/onerror=leak()>',
    '<img"x"onerror=leak()>',
    '<b x="><img onerror=leak()>',
    '<style>a { color: red }</style>',
    '<svg><STYLE/>a { color: red }</svg>',
    '<!--><img onerror=leak()>',
    '<b <i onclick=leak()>',
    '<p style="color: red"',
  ])
    expect([markup, reported(markup)]).toEqual([markup, []]);
  fc.assert(
    fc.property(brokenMarkup, (markup) => {
      expect(reported(markup)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('a question is shown completely and without markup, with the same text that services receive', () => {
  fc.assert(
    fc.property(wellMarked, ({ markup, text }) => {
      expect(letters(textOf(shown(markup)))).toBe(letters(text));
      expect(letters(plainText(markup))).toBe(letters(text));
    }),
    { numRuns: 500 },
  );
});
