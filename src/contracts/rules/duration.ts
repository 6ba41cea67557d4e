/** Seconds as minutes and seconds, the seconds padded to two digits: 605 is `10:05`. Hours stay minutes, as specified. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
