import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { Moment } from '#contracts/fields.ts';
import { DATE_PRESETS, dayParam, formatRangeDay, parseDay, rangeMoments } from './date-range.ts';

test('a day is written as LLL dd, y', () => {
  expect(formatRangeDay(new Date(2026, 2, 5))).toBe('Mar 05, 2026');
});

test('a range reaches from the start of its first day to the end of its last', () => {
  const day = new Date(2026, 2, 5, 12);
  const { startDate, endDate } = rangeMoments({ from: day, to: day });
  expect(Date.parse(endDate) - Date.parse(startDate)).toBe(86_399_999);
  expect(new Date(startDate).getHours()).toBe(0);
});

test('a day survives a link, and an invalid day becomes null', () => {
  expect(dayParam(parseDay('2026-02-28') as Date)).toBe('2026-02-28');
  for (const wrong of [null, '', '2026-02-30', '2026-13-01', '26-1-1', 'today']) expect(parseDay(wrong)).toBeNull();
});

/** The milliseconds of a day without a clock change. */
const DAY_MS = 86_400_000;
const [FIRST, LAST] = [Date.UTC(1000, 0, 1), Date.UTC(9999, 11, 31)];
const calendarDay = fc
  .oneof(
    fc.integer({ min: 0, max: (LAST - FIRST) / DAY_MS }).map((days) => FIRST + days * DAY_MS),
    fc.integer({ min: 0, max: 60 * 365 }).map((days) => days * DAY_MS),
    fc.constantFrom(FIRST, LAST, Date.UTC(2024, 1, 29)),
  )
  .map((moment) => new Date(moment).toISOString().slice(0, 10));
const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
const text = fc.oneof(
  fc.string(),
  fc.tuple(digits(4), digits(2), digits(2)).map((parts) => parts.join('-')),
  fc.string({ unit: fc.constantFrom(...'0123456789-+ T:Z') }),
);

/**
 * Zones with and without daylight saving time, some with changes at midnight, two that crossed the
 * date line, and both ends of the world.
 */
const ZONES = [
  'UTC',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];
/** The days that these zones skipped when they crossed the date line. */
const SKIPPED_DAYS: Partial<Record<string, string>> = {
  'Pacific/Apia': '2011-12-30',
  'Pacific/Kiritimati': '1994-12-31',
};

describe.each(ZONES)('in %s', (zone) => {
  test('presets begin and end with days of the zone, whatever the time is', () => {
    vi.stubEnv('TZ', zone);
    for (const hour of [0, 12, 23]) {
      const ranges = DATE_PRESETS.map(({ range }) => range(new Date(2026, 2, 1, hour, 59)));
      expect(ranges.map(({ from, to }) => [dayParam(from), dayParam(to)])).toEqual([
        ['2026-03-01', '2026-03-01'],
        ['2026-02-28', '2026-02-28'],
        ['2026-02-23', '2026-03-01'],
        ['2026-03-01', '2026-03-01'],
      ]);
    }
  });

  test('every day of the calendar survives a link, except days that the zone skipped', () => {
    vi.stubEnv('TZ', zone);
    fc.assert(
      fc.property(calendarDay, (param) => {
        fc.pre(param !== SKIPPED_DAYS[zone]);
        const day = parseDay(param);
        expect(day && dayParam(day)).toBe(param);
      }),
    );
  });

  test('any other parameter is rejected as a day', () => {
    vi.stubEnv('TZ', zone);
    fc.assert(
      fc.property(text, (param) => {
        const day = parseDay(param);
        if (day)
          expect([dayParam(day), new Date(`${param}T00:00Z`).toISOString().slice(0, 10)]).toEqual([param, param]);
      }),
    );
  });

  test('the server accepts every range, and a day ends where the next one starts', () => {
    vi.stubEnv('TZ', zone);
    fc.assert(
      fc.property(calendarDay, calendarDay, (one, other) => {
        const [from, to] = [parseDay(one), parseDay(other)].sort((a, b) => Number(a) - Number(b));
        if (!from || !to) return;
        const { startDate, endDate } = rangeMoments({ from, to });
        expect([startDate, endDate].map((moment) => Moment.safeParse(moment).success)).toEqual([true, true]);
        expect(startDate < endDate).toBe(true);
        expect([dayParam(new Date(startDate)), dayParam(new Date(endDate))]).toEqual([dayParam(from), dayParam(to)]);
        const next = new Date(to.getFullYear(), to.getMonth(), to.getDate() + 1);
        if (next.getFullYear() > 9999) return;
        expect(Date.parse(rangeMoments({ from: next, to: next }).startDate) - Date.parse(endDate)).toBe(1);
      }),
    );
  });
});

test.each([
  ['Asia/Beirut', '2025-10-25', 25],
  ['Asia/Beirut', '2025-03-30', 23],
  ['America/New_York', '2025-11-02', 25],
  ['Europe/Berlin', '2025-03-30', 23],
])('in %s, %s lasts %i hours', (zone, param, hours) => {
  vi.stubEnv('TZ', zone);
  const day = parseDay(param) as Date;
  const { startDate, endDate } = rangeMoments({ from: day, to: day });
  expect(Date.parse(endDate) - Date.parse(startDate)).toBe(hours * 3_600_000 - 1);
});
