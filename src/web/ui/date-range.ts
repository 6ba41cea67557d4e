import { shortMonth } from '#web/lib/month-names.ts';

/** Two days, both inside the range, in the person's own time zone. */
export interface DateRange {
  from: Date;
  to: Date;
}

/** `LLL dd, y`: `Mar 05, 2026`. By hand, so that the date library stays with the calendar, which loads later. */
export const formatRangeDay = (day: Date) =>
  `${shortMonth(day)} ${String(day.getDate()).padStart(2, '0')}, ${day.getFullYear()}`;

/** The last moment that a server takes (contracts/fields.ts): in the west, the last day of that year ends later. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The moments that bound the range for a server: the first day's start and the last day's end. */
export function rangeMoments({ from, to }: DateRange): { startDate: string; endDate: string } {
  const start = new Date(from.getFullYear(), from.getMonth(), from.getDate());
  // Where clocks go back at midnight the last hour comes twice: a day ends where the next one starts.
  const next = new Date(to.getFullYear(), to.getMonth(), to.getDate() + 1);
  const end = new Date(Math.min(next.getTime() - 1, LAST_MOMENT));
  return { startDate: start.toISOString(), endDate: end.toISOString() };
}

/** A day as it stands in a link, `2026-03-05`, and back. Null when it is not a day. */
export const dayParam = (day: Date) =>
  `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;

export function parseDay(param: string | null): Date | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(param ?? '');
  if (!parts) return null;
  const day = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]));
  return dayParam(day) === param ? day : null;
}
