/** Named entities of letters are a letter and the name of its accent: `&eacute;`. */
const ACCENTS: Record<string, string> = {
  ...{ grave: '\u0300', acute: '\u0301', circ: '\u0302', tilde: '\u0303', macr: '\u0304', breve: '\u0306' },
  ...{
    dot: '\u0307',
    uml: '\u0308',
    ring: '\u030a',
    dblac: '\u030b',
    caron: '\u030c',
    cedil: '\u0327',
    ogon: '\u0328',
  },
};
const ENTITIES: Record<string, string> = {
  ...{ szlig: 'ß', aelig: 'æ', AElig: 'Æ', oelig: 'œ', OElig: 'Œ', oslash: 'ø', Oslash: 'Ø', eth: 'ð', ETH: 'Ð' },
  ...{ thorn: 'þ', THORN: 'Þ', lstrok: 'ł', Lstrok: 'Ł', dstrok: 'đ', Dstrok: 'Đ', inodot: 'ı', imath: 'ı' },
  ...{ nbsp: ' ', apos: "'", rsquo: '’', shy: '', zwj: '', zwnj: '', hyphen: '-', dash: '-' },
};
/** Only decode to characters of names and addresses, and spaces between them. */
const PART_OF_NAME = /^[\p{L}\p{M}\p{N}\p{Cf}\s'’@._+-]+$/u;

/** `&amp;` in front of the name of an entity means that a text was encoded more than once. */
const ENTITY = /&(?:amp;)*(?:#(\d{2,7})|#x([0-9a-f]{2,6})|([a-z]{3,8}));/gi;
const ESCAPE = /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi;
/**
 * UTF-8 in URLs, also encoded more than once, and in mails (RFC 2045), where ASCII is unchanged:
 * `10+10=20` contains no space.
 */
const BYTES = /(?:%(?:25)*[0-9a-f]{2})+|=[c-f][0-9a-f](?:=[89ab][0-9a-f])+/gi;

/**
 * Decodes letters, and what can be between them in names, from HTML entities, URLs, mail headers,
 * escapes, and from UTF-8 that was read as Windows-1252. Other characters stay encoded.
 */
export function decodeLetters(text: string): string {
  return text
    .replace(ENTITY, (all, decimal?: string, hex?: string, name?: string) =>
      nameOnly(
        name === undefined ? character(Number.parseInt(decimal ?? hex ?? '', decimal ? 10 : 16)) : named(name),
        all,
      ),
    )
    .replace(ESCAPE, (all, long?: string, short?: string) =>
      nameOnly(character(Number.parseInt(long ?? short ?? '', 16)), all),
    )
    .replace(BYTES, (all) =>
      nameOnly(fromUtf8(Buffer.from(all.replace(/%(?:25)*(?=[0-9a-f]{2})|=/gi, ''), 'hex')), all),
    )
    .replace(MISREAD, (all) => MISREAD_LETTERS.get(all) ?? all);
}

const nameOnly = (decoded: string | null, encoded: string): string =>
  decoded !== null && (decoded === '' || PART_OF_NAME.test(decoded)) ? decoded : encoded;

const character = (code: number): string | null => (code <= 0x10ffff ? String.fromCodePoint(code) : null);

function named(name: string): string | null {
  const accent = ACCENTS[name.slice(1)];
  return ENTITIES[name] ?? (accent === undefined ? null : `${name[0]}${accent}`.normalize('NFC'));
}

function fromUtf8(bytes: Buffer): string | null {
  const text = bytes.toString();
  return text.includes('\u{fffd}') ? null : text;
}

/** Letters with accents of European languages (U+00C0 to U+017F), which have two bytes in UTF-8. */
const MISREAD_LETTERS: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 0x180 - 0xc0 }, (_, at) => String.fromCodePoint(0xc0 + at)).flatMap((letter) =>
    ['latin1', 'windows-1252'].map((encoding) => {
      const bytes = Buffer.from(letter);
      return [
        encoding === 'latin1' ? bytes.toString('latin1') : new TextDecoder(encoding).decode(bytes),
        letter,
      ] as const;
    }),
  ),
);
const MISREAD = /[\u00c3-\u00c5][\s\S]/g;
