import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SummaryStructure, Verdict } from '#contracts/summaries.ts';
import type { Passage } from '#server/ports/summarizer.ts';
import { anyCharacter } from '#support/any-character.ts';
import { lettersOf } from './spoken-text.ts';
import { NO_QUOTE_NOTE, verifyQuotes } from './verify-quotes.ts';

const TRANSCRIPT: Passage[] = [
  { text: 'Well, I’ve led the design system', startSeconds: 0 },
  { text: 'of a travel company. Yes. We said "no" early!', startSeconds: 4.5 },
  { text: 'It was a café in Zürich… and we re-used everything.', startSeconds: 9 },
  { text: 'We said no early.', startSeconds: 60 },
  { text: 'Then I met 𝐀𝐧𝐧𝐚, who leads.', startSeconds: 65 },
  { text: '我们的团队去年改进了整个系统。', startSeconds: 70 },
];

type Quotes = SummaryStructure['expectations'][number]['quotes'];

const structureWith = (quotes: Quotes, more: { verdict?: Verdict; method?: SummaryStructure['method'] } = {}) =>
  ({
    method: more.method ?? 'model',
    overview: 'Fine.',
    expectations: [{ field: 'skills', expectation: 'React', verdict: more.verdict ?? 'met', note: 'Why.', quotes }],
    openQuestions: ['When?'],
  }) satisfies SummaryStructure;

const quoted = (text: string, startSeconds: number | null = null, transcript = TRANSCRIPT) =>
  verifyQuotes(structureWith([{ text, startSeconds }]), transcript).expectations[0]?.quotes[0];

describe('a quote', () => {
  test.each<[string, string, string, number]>([
    ['word for word', 'of a travel company', 'of a travel company.', 4.5],
    [
      'over the end of a passage',
      'the design system of a travel company.',
      'the design system of a travel company.',
      0,
    ],
    ['in another case', 'OF A TRAVEL Company', 'of a travel company.', 4.5],
    ['with other marks', "“well I've led, the design”", 'Well, I’ve led the design', 0],
    ['with other white space', ' of  a\ntravel   company ', 'of a travel company.', 4.5],
    ['without accents', 'a cafe in Zurich', 'a café in Zürich…', 9],
    ['with another hyphenation', 'we reused everything', 'we re-used everything.', 9],
    ['with an ellipsis in it', 'I’ve led … of a travel company', 'of a travel company.', 4.5],
    ['with brackets around the ellipsis', 'of a travel company [...] café', 'of a travel company.', 4.5],
    ['in letters of another width', 'then I met Anna', 'Then I met 𝐀𝐧𝐧𝐚', 65],
    ['in a script without spaces', '团队去年改进了整个', '团队去年改进了整个', 70],
  ])('%s gets the wording and the time of the transcript', (_, text, said, startSeconds) => {
    expect(quoted(text)).toEqual({ text: said, startSeconds });
  });

  test.each([
    ['does not occur', 'I have led four hundred engineers'],
    ['is changed by a word', 'of a large travel company'],
    ['leaves a word out', 'led design system'],
    ['begins in a word', 'ravel company yes'],
    ['ends in a word', 'of a travel comp'],
    ['is too short to prove anything', 'Yes.'],
    ['has two words', 'travel company'],
    ['has three tiny words', 'It was a'],
    ['is empty', ''],
    ['is punctuation', '…"!'],
  ])('a quote that %s is dropped', (_, text) => {
    expect(quoted(text)).toBeUndefined();
  });

  test.each([
    [0, 4.5],
    [55, 60],
    [null, 4.5],
  ])('a quote that occurs twice gets the time nearest to the claimed one (%s)', (claimed, startSeconds) => {
    expect(quoted('we said no early', claimed)).toMatchObject({ startSeconds });
  });

  test('a quote that is too long is cut after a word', () => {
    const long = [{ text: `${'several words, '.repeat(80)}and so on.`, startSeconds: 3 }];
    const quote = quoted(long[0]?.text ?? '', null, long);
    expect(quote?.text.length).toBeLessThanOrEqual(400);
    expect(quote?.text).toMatch(/ (several|words)$/);
  });

  test('a quote that is repeated is kept once', () => {
    const twice = ['of a travel company', 'Of a travel company!'].map((text) => ({ text, startSeconds: null }));
    expect(verifyQuotes(structureWith(twice), TRANSCRIPT).expectations[0]?.quotes).toHaveLength(1);
  });
});

describe('a verdict', () => {
  const invented = [{ text: 'I am the best of all', startSeconds: 0 }];
  const real = [{ text: 'of a travel company', startSeconds: 0 }];

  test.each<[string, SummaryStructure, Verdict, string]>([
    ['met with evidence stays', structureWith(real), 'met', 'Why.'],
    ['met without evidence is partly', structureWith(invented), 'partly', `Why. ${NO_QUOTE_NOTE}`],
    ['met without a quote is partly', structureWith([]), 'partly', `Why. ${NO_QUOTE_NOTE}`],
    ['partly stays', structureWith(invented, { verdict: 'partly' }), 'partly', 'Why.'],
    ['not shown stays', structureWith(invented, { verdict: 'not shown' }), 'not shown', 'Why.'],
  ])('%s', (_, structure, verdict, note) => {
    expect(verifyQuotes(structure, TRANSCRIPT).expectations[0]).toMatchObject({ verdict, note });
  });
});

describe('the quotes of a model', () => {
  const word = fc.constantFrom(
    'I',
    'led',
    'the',
    'Team',
    'in',
    'Zürich',
    'C++',
    'don’t',
    'ﬁve',
    'no.',
    '"so"',
    '系统',
    '🙂',
    '...',
  );
  const passage = fc.record({
    text: fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
    startSeconds: fc.option(fc.integer({ min: 0, max: 500 })),
  });
  const transcripts = fc.array(passage, { maxLength: 8 });
  const quotes = fc.array(
    fc.record({
      text: fc.oneof(
        fc.string({ unit: anyCharacter }),
        fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
      ),
      startSeconds: fc.option(fc.integer({ min: 0, max: 500 })),
    }),
    { maxLength: 5 },
  );

  test('contain only words of the transcript, and a second check changes nothing', () => {
    fc.assert(
      fc.property(transcripts, quotes, (transcript, given) => {
        const checked = verifyQuotes(structureWith(given), transcript);
        const said = transcript.map(({ text }) => text).join(' ');
        for (const { text } of checked.expectations[0]?.quotes ?? []) expect(said.replace(/\s+/g, ' ')).toContain(text);
        expect(verifyQuotes(checked, transcript)).toEqual(checked);
      }),
    );
  });

  test('the quotes of a model are always found if they are parts of the transcript', () => {
    const words = fc.array(fc.constantFrom('alpha', 'Beta,', 'gamma', 'd’elta', 'epsilon.'), {
      minLength: 3,
      maxLength: 30,
    });
    fc.assert(
      fc.property(words, fc.nat(29), fc.integer({ min: 1, max: 5 }), (all, from, size) => {
        const transcript = all.flatMap((_, index) =>
          index % size === 0 ? [{ text: all.slice(index, index + size).join(' '), startSeconds: index }] : [],
        );
        const stretch = all
          .slice(Math.min(from, all.length - 3), Math.min(from, all.length - 3) + 6)
          .join(' ')
          .toUpperCase();
        expect(lettersOf(quoted(stretch, null, transcript)?.text ?? '')).toBe(lettersOf(stretch));
      }),
    );
  });
});
