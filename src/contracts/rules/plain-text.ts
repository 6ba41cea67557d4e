/** What is never text for a person, with all that is in it. */
const HIDDEN = /<(script|style|template|noscript|iframe|object|svg|title|textarea)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const TAG = /<\/?[a-z](?:"[^"]*"|'[^']*'|[^'">])*>|<!--[\s\S]*?-->/gi;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The words of a question's markup on one line, for services that take plain text. A page draws the markup itself. */
export const plainText = (markup: string): string =>
  markup
    .replace(HIDDEN, ' ')
    .replace(TAG, (tag) => (/^<\/?(b|strong|i|em|u|span|a|code)\b/i.test(tag) ? '' : ' '))
    .replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (entity, name: string) => character(name) ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

function character(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()];
  const code = Number.parseInt(name.slice(2), 16);
  const point = /^#x/i.test(name) ? code : Number(name.slice(1));
  return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : undefined;
}
