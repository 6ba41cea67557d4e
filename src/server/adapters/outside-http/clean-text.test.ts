import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutDirections } from '#contracts/rules/plain-text.ts';
import { anyCharacter } from '#support/any-character.ts';
import { cleanMoment, cleanText, cleanUrl } from './clean-text.ts';

const odd = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom(' ', '\0', '\ud83d', '\ude42', '🙂', 'a', '\n') }),
);

test('any cleaned text is storable and within its limit', () => {
  fc.assert(
    fc.property(odd, fc.integer({ min: 1, max: 20 }), (text, most) => {
      const clean = cleanText(text, most);
      expect(clean === null).toBe(withoutDirections(text.replaceAll('\0', '')).trim() === '');
      if (clean === null) return;
      expect(clean.length <= most && clean.isWellFormed() && !clean.includes('\0') && clean !== '').toBe(true);
      const same =
        text.isWellFormed() && !text.includes('\0') && withoutDirections(text) === text && text.trim().length <= most;
      if (same) expect(clean).toBe(text.trim());
    }),
    { numRuns: 1_000 },
  );
});

test('a name cannot reverse the text that follows it', () => {
  expect(cleanText('Dana \u202egpj.4pm\u2066', 100)).toBe('Dana gpj.4pm');
  expect(cleanText('دانا מור', 100)).toBe('دانا מור');
});

test('any cleaned address is http or https, and cleaning it again changes nothing', () => {
  const scheme = fc.constantFrom(
    'http://',
    'https://',
    'HTTPS:',
    'javascript:',
    'data:',
    'file://',
    '//',
    ' ',
    '\thttp://',
    'java\nscript:',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl(),
        odd,
        fc.tuple(scheme, odd).map((parts) => parts.join('')),
      ),
      (text) => {
        const kept = cleanUrl(text);
        expect(kept ?? 'https://x').toMatch(/^https?:\/\/\S+$/);
        if (kept) expect(cleanUrl(kept)).toBe(kept);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a moment is parsed in any time zone, and as UTC without one', () => {
  const moment = fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(moment, fc.integer({ min: -14 * 60, max: 14 * 60 }), (given, offset) => {
      const iso = given.toISOString();
      const local = new Date(given.getTime() + offset * 60_000).toISOString().slice(0, -1);
      const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
        String(part).padStart(2, '0'),
      );
      for (const written of [iso, ` ${iso} `, iso.slice(0, -1), `${local}${offset < 0 ? '-' : '+'}${hours}:${minutes}`])
        expect([written, cleanMoment(written)?.toISOString()]).toEqual([written, iso]);
      expect(cleanMoment(iso.slice(0, 10))?.toISOString()).toBe(`${iso.slice(0, 10)}T00:00:00.000Z`);
    }),
  );
});

test('any other text is null or a moment in the years 1 to 9999', () => {
  const text = fc.oneof(
    odd,
    fc.string({ unit: fc.constantFrom(...'0123456789-+:TZ. ') }),
    fc.stringMatching(/^\d{4}-\d\d-\d\d.{0,12}$/),
  );
  fc.assert(
    fc.property(text, (given) => {
      const year = cleanMoment(given)?.getUTCFullYear() ?? 1;
      expect(year >= 1 && year <= 9999).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
