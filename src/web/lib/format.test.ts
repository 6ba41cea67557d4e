import { expect, test } from 'vitest';
import { formatCount, formatDate, formatDateTime } from '#web/lib/format.ts';

test('a date reads as every browser writes it in English', () => {
  const long = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', day: 'numeric' });
  for (let month = 0; month < 12; month += 1) {
    const date = new Date(2026, month, 5, 16, 5, 9);
    expect(formatDate(date)).toBe(long.format(date));
    expect(formatDate(date.toISOString())).toBe(long.format(date));
  }
});

test('a moment of a log reads to the second', () => {
  expect(formatDateTime(new Date(2026, 2, 5, 16, 5, 9)).replaceAll('\u202f', ' ')).toBe('Mar 5, 2026, 4:05:09 PM');
});

test.each([formatDate, formatDateTime])('what is no date is left out', (format) => {
  expect(format('yesterday')).toBe('');
});

test.each([
  [0, '0 questions'],
  [1, '1 question'],
  [999, '999 questions'],
  [1_204, '1,204 questions'],
])('%i reads %s', (count, words) => {
  expect(formatCount(count, 'question')).toBe(words);
});
