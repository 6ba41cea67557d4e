import { expect, test } from 'vitest';
import { formatCount, formatDate, formatDateTime } from './format.ts';

test('a date is written in the long English form', () => {
  expect(formatDate(new Date(2026, 8, 5, 16, 5, 9))).toBe('September 5, 2026');
  expect(formatDate(new Date(2026, 2, 31).toISOString())).toBe('March 31, 2026');
});

test('the time of a log entry is shown to the second', () => {
  expect(formatDateTime(new Date(2026, 2, 5, 16, 5, 9)).replaceAll('\u202f', ' ')).toBe('Mar 5, 2026, 4:05:09 PM');
});

test.each([formatDate, formatDateTime])('an invalid date becomes an empty text', (format) => {
  expect(format('yesterday')).toBe('');
});

test.each([
  [0, '0 questions'],
  [1, '1 question'],
  [999, '999 questions'],
  [1_204, '1,204 questions'],
])('%i is written as %s', (count, text) => {
  expect(formatCount(count, 'question')).toBe(text);
});
