import { expect, test } from 'vitest';
import { pageWindow } from '#web/ui/page-window.ts';

const shown = (page: number, pages: number) =>
  pageWindow(page, pages)
    .map((item) => (item === 'gap' ? '…' : item))
    .join(' ');

test.each([
  [1, 1, '1'],
  [2, 3, '1 2 3'],
  [3, 5, '1 2 3 4 5'],
  [1, 6, '1 2 3 4 5 6'],
  [1, 7, '1 2 3 4 5 6 7'],
  [1, 10, '1 2 3 4 5 … 10'],
  [4, 10, '1 2 3 4 5 6 … 10'],
  [5, 10, '1 2 3 4 5 6 7 … 10'],
  [6, 12, '1 … 4 5 6 7 8 … 12'],
  [10, 10, '1 … 6 7 8 9 10'],
  [500, 1_000, '1 … 498 499 500 501 502 … 1000'],
])('page %i of %i offers %s', (page, pages, expected) => {
  expect(shown(page, pages)).toBe(expected);
});
