import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

/** The markup of a question and the text that it must show. */
export interface MarkupWithText {
  markup: string;
  text: string;
}

const attribute = fc.constantFrom(
  '',
  ' ',
  ' class="a"',
  ' onclick="leak(1 > 0)"',
  ' style=\'color: "leak"\' data-x',
  ' href="javascript:leak()"',
);
const words = fc
  .string({ unit: fc.constantFrom('a', 'Z', 'ö', '🙂', '7', ' ', '\n', '?', '<', '>', '&', '"', "'"), minLength: 1 })
  .map((text): MarkupWithText => ({ markup: escaped(text), text }));
/** Without frames, which the simulated browser would try to load. */
const hidden = fc
  .tuple(fc.constantFrom('script', 'STYLE', 'template', 'noscript', 'object', 'svg', 'title', 'textarea'), attribute)
  .map(([name, attributes]): MarkupWithText => ({ markup: `<${name}${attributes}>leak</${name}>`, text: '' }));
/** A tag follows each comment: the simulated browser does not decode entities right after one. */
const empty = fc
  .constantFrom(
    '<!-- leak --><i></i>',
    '<!-- <b onclick="leak()">leak</b> --><i></i>',
    '<img src="leak" onerror="leak()">',
    '<wbr>',
  )
  .map((markup): MarkupWithText => ({ markup, text: '' }));
const linebreak = fc.constantFrom('<br>', '<BR/>', '<br />').map((markup): MarkupWithText => ({ markup, text: '\n' }));
const tag = (names: readonly string[], around: string, inner: fc.Arbitrary<MarkupWithText>) =>
  fc.tuple(fc.constantFrom(...names), attribute, inner).map(
    ([name, attributes, { markup, text }]): MarkupWithText => ({
      markup: `<${name}${attributes}>${markup}</${name}>`,
      text: around + text + around,
    }),
  );
const several = (one: fc.Arbitrary<MarkupWithText>) =>
  fc.array(one, { maxLength: 4 }).map(
    (parts): MarkupWithText => ({
      markup: parts.map(({ markup }) => markup).join(''),
      text: parts.map(({ text }) => text).join(''),
    }),
  );
const inline = several(
  fc.oneof(words, words, hidden, empty, linebreak, tag(['b', 'STRONG', 'i', 'em', 'u', 'span', 'code'], '', words)),
);

/** Valid markup: words in blocks and inline tags, mixed with elements that show no text. */
export const wellMarked: fc.Arbitrary<MarkupWithText> = several(
  fc.oneof(
    inline,
    tag(['p', 'DIV', 'h2', 'blockquote'], '\n', inline),
    tag(['ul', 'ol'], '\n', tag(['li'], '\n', inline)),
  ),
);

/** Invalid markup. */
export const brokenMarkup: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(...'<>/"\'=&; '),
      fc.constantFrom('<b', '<b ', '</b>', '<p>', '<a href="', '<img src=x onerror=leak()>', '<svg/onload=leak()>'),
      fc.constantFrom(
        '<script>',
        '<script ',
        '</script>',
        '</script ',
        '<!--',
        '-->',
        '<style>',
        '</style>',
        '<![CDATA[',
      ),
      fc.constantFrom('<table><tr><td>', '<base href=//x>', '<math><mi//xlink:href="data:x">'),
      fc.constantFrom(
        '&lt;',
        '&lt',
        '&#0;',
        '&#xd800;',
        '&#x110000;',
        '&#99999999999;',
        '&constructor;',
        '&__proto__;',
      ),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

const ENTITIES: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[<>&"']/g, (character) => ENTITIES[character] ?? character);
