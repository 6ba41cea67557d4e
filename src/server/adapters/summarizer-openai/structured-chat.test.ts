import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VERDICTS } from '#contracts/summaries.ts';
import { spoiled } from '#support/hostile-json.ts';
import { partResponse } from './part-response.ts';
import { findJson } from './structured-chat.ts';

const RESPONSE = {
  overview: 'Good.',
  expectations: [
    { number: 1, verdict: 'met', note: 'Said so.', quotes: [{ text: 'I did.', passage: 1 }] },
    { number: 2, verdict: 'Partially met', note: '', quotes: ['I also did.'] },
  ],
  openQuestions: ['Why?'],
};
/** Text without the characters that mark JSON. */
const words = fc.string({ maxLength: 40 }).map((text) => text.replace(/[`{}<]/g, ' '));
const object = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }));

test.for<[string, (json: string, words: string) => string]>([
  ['alone', (json) => json],
  ['in a fence', (json, words) => `${words}\n\`\`\`json\n${json}\n\`\`\`\n${words}`],
  ['in a fence without a name', (json) => `\`\`\`\n${json}\n\`\`\``],
  ['between sentences', (json, words) => `${words} ${json} ${words}`],
  ['after the reasoning', (json, words) => `<think>${words} {</think>${json}`],
])('a JSON object %s is found unchanged', ([, wrap]) => {
  fc.assert(
    fc.property(object, words, (value, said) => {
      const json = JSON.stringify(value);
      // Backticks and reasoning inside the object are indistinguishable from those around it.
      fc.pre(!/```|<\/think>/.test(json));
      expect(findJson(wrap(json, said))).toEqual(JSON.parse(json));
    }),
  );
});

test('any text contains a JSON object or array, or the result is null', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('{', '}', '`', '\n', '"', 'a', ':') })),
      (text) => {
        expect(typeof findJson(text)).toBe('object');
      },
    ),
  );
});

test('an accepted response has one verdict of the list for each expectation', () => {
  fc.assert(
    fc.property(spoiled(RESPONSE), (raw) => {
      const { success, data } = partResponse(2).safeParse(raw);
      if (!success) return;
      expect(data.overview).not.toBe('');
      expect(data.expectations).toHaveLength(2);
      for (const { verdict, quotes } of data.expectations) {
        expect(VERDICTS).toContain(verdict);
        expect(quotes.length).toBeLessThanOrEqual(10);
      }
    }),
    { numRuns: 2_000 },
  );
});
