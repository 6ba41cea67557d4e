const MAX_TITLE_LENGTH = 120;
const MAX_VALUE_LENGTH = 200;

/** Shortens a title for log entries and messages. */
export const shortTitle = (title: string) =>
  title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH - 1)}…` : title;

/** Adds `s` to the noun unless there is one. */
export const plural = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

/**
 * Cuts at 200 characters, but never inside a surrogate pair, because PostgreSQL rejects half a
 * pair.
 */
export function cutValue(text: string): string {
  if (text.length <= MAX_VALUE_LENGTH) return text;
  const isInsidePair = /[\uD800-\uDBFF]/.test(text.charAt(MAX_VALUE_LENGTH - 1));
  return `${text.slice(0, MAX_VALUE_LENGTH - (isInsidePair ? 1 : 0))}…`;
}
