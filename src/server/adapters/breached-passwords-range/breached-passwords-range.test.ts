import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isListed } from './breached-passwords-range.ts';

const rest = fc.string({ unit: fc.constantFrom(...'0123456789ABCDEF'), minLength: 35, maxLength: 35 });
const lines = fc.dictionary(rest, fc.integer({ min: 0, max: 1e9 }), { maxKeys: 20 }).map(Object.entries<number>);
const textOf = (entries: [string, number][], end: string) => entries.map(([one, count]) => `${one}:${count}`).join(end);

test('a hash is listed if a line contains its rest and a count above 0, in any case and with any line end', () => {
  fc.assert(
    fc.property(lines, rest, fc.constantFrom('\n', '\r\n'), (entries, other, end) => {
      for (const text of [textOf(entries, end), `${textOf(entries, end)}${end}`.toLowerCase()]) {
        for (const [one, count] of entries) expect(isListed(text, one)).toBe(count > 0);
        expect(isListed(text, other)).toBe(entries.some(([one, count]) => one === other && count > 0));
      }
    }),
  );
});

test('any other text than a range is a bad response', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), rest, (text, one) => {
      fc.pre(text.trim() !== '' && !/^[0-9a-f]{35}:\d+$/i.test(text.trim()));
      expect(() => isListed(text, one)).toThrow(expect.objectContaining({ kind: 'bad_response' }));
      expect(() => isListed(`${one}:1\n${text}x`, one)).toThrow(expect.objectContaining({ kind: 'bad_response' }));
    }),
  );
});
