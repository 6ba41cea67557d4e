import type { AtsNote } from '#server/ports/ats.ts';

/** Lever notifies the user whose name follows an `@`, so a character is inserted in between. */
const INVISIBLE_SPACE = '\u200b';
export const withoutMentions = (text: string): string => text.replaceAll('@', `@${INVISIBLE_SPACE}`);

/** A text whose last line is the marker. */
export const noteText = ({ text, links, marker }: AtsNote): string =>
  [
    withoutMentions(text),
    ...links.map(({ label, url }) => `${withoutMentions(label)}: ${url.replaceAll('@', '%40')}`),
    withoutMentions(marker),
  ].join('\n');

export const hasMarker = (value: string, marker: string): boolean =>
  value.trimEnd().split('\n').at(-1) === withoutMentions(marker);

/** True if each word is the prefix of a word in one of the texts. */
export function matchesWords(search: string, texts: readonly (string | null)[]): boolean {
  const wanted = wordsOf(search);
  const found = texts.flatMap((text) => wordsOf(text ?? ''));
  return wanted.every((word) => found.some((each) => each.startsWith(word)));
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
