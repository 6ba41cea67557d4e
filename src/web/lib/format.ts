export { formatDuration } from '#contracts/rules/duration.ts';

const longDate = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', day: 'numeric' });
const dateTime = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
});

const formatted = (format: Intl.DateTimeFormat, moment: string | Date) => {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? '' : format.format(date);
};

/** The long form of the specification: `March 5, 2026`. */
export const formatDate = (moment: string | Date) => formatted(longDate, moment);

/** To the second, for logs: `Mar 5, 2026, 4:05:09 PM`. */
export const formatDateTime = (moment: string | Date) => formatted(dateTime, moment);

/** `1 interview`, `2 interviews`, `1,204 interviews`. */
export const formatCount = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
