import { expect, test } from 'vitest';
import { dayParam, formatRangeDay, parseDay, rangeMoments } from '#web/ui/date-range.ts';

test('a day reads LLL dd, y', () => {
  expect(formatRangeDay(new Date(2026, 2, 5))).toBe('Mar 05, 2026');
});

test('a range reaches from the start of its first day to the end of its last', () => {
  const day = new Date(2026, 2, 5, 12);
  const { startDate, endDate } = rangeMoments({ from: day, to: day });
  expect(Date.parse(endDate) - Date.parse(startDate)).toBe(86_399_999);
  expect(new Date(startDate).getHours()).toBe(0);
});

test('a day survives a link, and what is not a day is nothing', () => {
  expect(dayParam(parseDay('2026-02-28') as Date)).toBe('2026-02-28');
  for (const wrong of [null, '', '2026-02-30', '2026-13-01', '26-1-1', 'today']) expect(parseDay(wrong)).toBeNull();
});
