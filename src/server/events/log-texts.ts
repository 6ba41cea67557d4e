const MAX_TITLE_LENGTH = 120;
const MAX_VALUE_LENGTH = 200;

/** Shortens a title for log entries and messages. */
export const shortTitle = (title: string) =>
  title.length > MAX_TITLE_LENGTH ? `${startOf(title, MAX_TITLE_LENGTH - 1)}…` : title;

/** Adds `s` to the noun unless there is one. */
export const plural = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** Cuts at 200 characters. */
export const cutValue = (text: string): string =>
  text.length > MAX_VALUE_LENGTH ? `${startOf(text, MAX_VALUE_LENGTH)}…` : text;

/** Never ends inside a surrogate pair, because PostgreSQL rejects half a pair. */
const startOf = (text: string, length: number) => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
