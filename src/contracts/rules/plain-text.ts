/** Elements whose content is not text for users. */
const HIDDEN = /<(script|style|template|noscript|iframe|object|svg|title|textarea)\b/gi;
const TAG = /<\/?[a-z](?:"[^"]*"|'[^']*'|[^'"<>])*>/gi;
const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }));

/**
 * The text of a question's markup on one line, for services that accept plain text. Pages render
 * the markup.
 */
export const plainText = (markup: string): string =>
  withoutHidden(withoutComments(markup))
    .replace(TAG, (tag) => (/^<\/?(b|strong|i|em|u|span|a|code)\b/i.test(tag) ? '' : ' '))
    .replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (entity, name: string) => character(name) ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

function character(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase());
  const code = Number.parseInt(name.slice(2), 16);
  const point = /^#x/i.test(name) ? code : Number(name.slice(1));
  // Services reject lone surrogates.
  return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point).toWellFormed() : undefined;
}

/**
 * Uses a loop: a regular expression would search the rest of the text again for each comment that
 * has no end.
 */
function withoutComments(markup: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = markup.indexOf('<!--', from);
    const end = start < 0 ? -1 : markup.indexOf('-->', start + 4);
    if (end < 0) return [...kept, markup.slice(from)].join(' ');
    kept.push(markup.slice(from, start));
    from = end + 3;
  }
}

/** An element that is never closed hides everything after it. */
function withoutHidden(markup: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const { index, 0: opening, 1: name = '' } of markup.matchAll(HIDDEN)) {
    if (index < from) continue;
    kept.push(markup.slice(from, index));
    const closing = new RegExp(`</${name}\\s*>`, 'gi');
    closing.lastIndex = index + opening.length;
    from = closing.test(markup) ? closing.lastIndex : markup.length;
  }
  return [...kept, markup.slice(from)].join(' ');
}

/** Matches the end of a sentence, closing quotes and brackets included, in scripts that mark it. */
export const SENTENCE_END = /[.!?…。！？]["'”’»)\]]*$/;

/**
 * Removes the characters that start and end runs of text in another direction. In a name they would
 * reverse the text that follows it, also in log entries. Arabic and Hebrew do not need them.
 */
export const withoutDirections = (text: string): string => text.replace(/[\u202A-\u202E\u2066-\u2069]/g, '');
