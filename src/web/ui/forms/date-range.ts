const RANGE_DAY = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: '2-digit' });

/** Two days, both included, in the user's time zone. */
export interface DateRange {
  from: Date;
  to: Date;
}

/** `Mar 05, 2026`: `LLL dd, y` in the specification. */
export const formatRangeDay = (day: Date) => RANGE_DAY.format(day);

const daysBefore = (day: Date, days: number) => new Date(day.getFullYear(), day.getMonth(), day.getDate() - days);

/** Ranges that end on `today` or the day before, in the user's time zone. */
export const DATE_PRESETS: readonly { label: string; range: (today: Date) => DateRange }[] = [
  { label: 'Today', range: (today) => ({ from: daysBefore(today, 0), to: daysBefore(today, 0) }) },
  { label: 'Yesterday', range: (today) => ({ from: daysBefore(today, 1), to: daysBefore(today, 1) }) },
  { label: 'Last 7 days', range: (today) => ({ from: daysBefore(today, 6), to: daysBefore(today, 0) }) },
  {
    label: 'This month',
    range: (today) => ({ from: new Date(today.getFullYear(), today.getMonth(), 1), to: daysBefore(today, 0) }),
  },
];

/** True when both contain the same days. */
export const isSameRange = (a: DateRange | null, b: DateRange) =>
  a !== null && dayParam(a.from) === dayParam(b.from) && dayParam(a.to) === dayParam(b.to);

/**
 * The last moment that the server accepts (contracts/fields.ts). West of UTC that day ends later.
 */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The range as the server expects it: from the start of the first day to the end of the last day.
 */
export function rangeMoments({ from, to }: DateRange): { startDate: string; endDate: string } {
  const start = new Date(from.getFullYear(), from.getMonth(), from.getDate());
  // When clocks go back at midnight the last hour repeats, so a day ends where the next one starts.
  const next = new Date(to.getFullYear(), to.getMonth(), to.getDate() + 1);
  const end = new Date(Math.min(next.getTime() - 1, LAST_MOMENT));
  return { startDate: start.toISOString(), endDate: end.toISOString() };
}

/** A day in a link: `2026-03-05`. */
export const dayParam = (day: Date) =>
  `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;

/** Returns null when the parameter is not a day. */
export function parseDay(param: string | null): Date | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(param ?? '');
  if (!parts) return null;
  const day = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]));
  return dayParam(day) === param ? day : null;
}
