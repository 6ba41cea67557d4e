/**
 * Minutes and seconds, the seconds padded to two digits: 605 is `10:05`. An hour is `60:00`, as
 * specified.
 */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** A whole percentage from 0 to 100; 0 when the total is 0. */
export const progressPercent = (processed: number, total: number): number =>
  total <= 0 ? 0 : Math.min(100, Math.max(0, Math.round((processed / total) * 100)));
