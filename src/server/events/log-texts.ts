const MAX_TITLE_LENGTH = 120;
const MAX_VALUE_LENGTH = 200;

/** A title as log entries and messages show it. */
export const shortTitle = (title: string) =>
  title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH - 1)}…` : title;

/** Cuts at 200 characters, never inside a surrogate pair: PostgreSQL refuses half of one. */
export function cutValue(text: string): string {
  if (text.length <= MAX_VALUE_LENGTH) return text;
  const isInsidePair = /[\uD800-\uDBFF]/.test(text.charAt(MAX_VALUE_LENGTH - 1));
  return `${text.slice(0, MAX_VALUE_LENGTH - (isInsidePair ? 1 : 0))}…`;
}
