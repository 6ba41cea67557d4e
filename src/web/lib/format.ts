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

export const formatNumber = (count: number) => COUNT.format(count);

/** `1 interview`, `2 interviews`, `1,204 interviews`. */
export const formatCount = (count: number, one: string, many = `${one}s`) =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

const UNITS = ['bytes', 'KB', 'MB', 'GB'];

/** A size with at most one decimal, such as `1.4 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  return `${(bytes / 2 ** (10 * power)).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${UNITS[power]}`;
}
