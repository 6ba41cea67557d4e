import fc from 'fast-check';

/**
 * One Unicode character, for `fc.string({ unit: anyCharacter })`. The unit `binary` of fast-check
 * generates the same, but takes seconds to prepare.
 */
export const anyCharacter = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    // Skips surrogates: each is half of a character.
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));
