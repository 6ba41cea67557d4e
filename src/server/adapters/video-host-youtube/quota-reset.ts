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
 * When Google's daily quota resets after `now`: the next midnight in Los Angeles
 * (https://developers.google.com/youtube/v3/getting-started#quota). Clocks change there at 2 a.m.,
 * so each day has exactly one midnight.
 */
export function nextQuotaReset(now: Date): Date {
  const { year, month, day } = wallClock(now);
  const midnight = Date.UTC(year, month - 1, day + 1);
  // On the day of a clock change the offset at the reset differs from the current one: the second
  // pass corrects it.
  const near = midnight - offsetMs(new Date(midnight + 12 * 3_600_000));
  return new Date(midnight - offsetMs(new Date(near)));
}

/** The local offset from UTC; always negative. */
function offsetMs(moment: Date): number {
  const { year, month, day, hour, minute, second } = wallClock(moment);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment.getTime() / 1_000) * 1_000;
}

type WallClock = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;

const wallClock = (moment: Date) =>
  Object.fromEntries(LOS_ANGELES.formatToParts(moment).map(({ type, value }) => [type, Number(value)])) as WallClock;
