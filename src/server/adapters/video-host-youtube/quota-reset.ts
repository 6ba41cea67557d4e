const LOS_ANGELES = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/**
 * When the daily quota of Google's interfaces begins anew after `now`: the next midnight in Los Angeles
 * (https://developers.google.com/youtube/v3/getting-started#quota). Clocks change there at 2 o'clock, so each day has one midnight.
 */
export function nextQuotaReset(now: Date): Date {
  const { year, month, day } = wallClock(now);
  const midnight = Date.UTC(year, month - 1, day + 1);
  // The offset at the reset counts, which on the day of a change is not that of now; the second look corrects it.
  const near = midnight - offsetMs(new Date(midnight + 12 * 3_600_000));
  return new Date(midnight - offsetMs(new Date(near)));
}

/** How far the clock there is ahead of UTC; always negative. */
function offsetMs(moment: Date): number {
  const { year, month, day, hour, minute, second } = wallClock(moment);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment.getTime() / 1_000) * 1_000;
}

type Wall = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;

const wallClock = (moment: Date) =>
  Object.fromEntries(LOS_ANGELES.formatToParts(moment).map(({ type, value }) => [type, Number(value)])) as Wall;
