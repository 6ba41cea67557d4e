import { MONTHS } from '#web/lib/month-names.ts';

export { formatDuration } from '#contracts/rules/duration.ts';

const formatted = (format: (date: Date) => string, moment: string | Date) => {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? '' : format(date);
};

/** The long form of the specification: `March 5, 2026`. */
export const formatDate = (moment: string | Date) =>
  formatted((date) => `${MONTHS[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()}`, moment);

let dateTime: Intl.DateTimeFormat | undefined;

/** To the second, for logs: `Mar 5, 2026, 4:05:09 PM`. */
export const formatDateTime = (moment: string | Date) => {
  dateTime ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' });
  return formatted(dateTime.format, moment);
};

/** `1 interview`, `2 interviews`, `1,204 interviews`. */
export const formatCount = (count: number, one: string, many = `${one}s`) =>
  // Small numbers need no rules of a language, which take long to load: see month-names.ts.
  `${count < 1_000 ? count : count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
