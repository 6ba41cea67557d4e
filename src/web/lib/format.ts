export { formatDuration } from '#contracts/rules/format.ts';

const LONG_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
const DATE_TIME = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' });
const COUNT = new Intl.NumberFormat('en-US');

/** Empty for an invalid date. */
const formatMoment = (format: Intl.DateTimeFormat, moment: string | Date) => {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? '' : format.format(date);
};

/** The long form of the specification: `March 5, 2026`. */
export const formatDate = (moment: string | Date) => formatMoment(LONG_DATE, moment);

/** To the second, for logs: `Mar 5, 2026, 4:05:09 PM`. */
export const formatDateTime = (moment: string | Date) => formatMoment(DATE_TIME, moment);

/** `1 interview`, `2 interviews`, `1,204 interviews`. */
export const formatCount = (count: number, one: string, many = `${one}s`) =>
  `${COUNT.format(count)} ${count === 1 ? one : many}`;
