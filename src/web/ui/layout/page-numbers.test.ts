import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageWindow } from './page-numbers.ts';

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
])('page %i of %i shows %s', (page, pages, expected) => {
  expect(shown(page, pages)).toBe(expected);
});

const place = fc
  .oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 1_000_000_000 }))
  .chain((pages) =>
    fc.tuple(fc.oneof(fc.integer({ min: 1, max: pages }), fc.constantFrom(1, pages)), fc.constant(pages)),
  );

test('every page shows the first, the last, the current and the adjacent pages in order', () => {
  fc.assert(
    fc.property(place, ([page, pages]) => {
      const numbers = pageWindow(page, pages).filter((item) => item !== 'gap');
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      expect([numbers.at(0), numbers.at(-1)]).toEqual([1, pages]);
      const adjacent = [page - 2, page - 1, page, page + 1, page + 2].filter((near) => near >= 1 && near <= pages);
      expect(numbers).toEqual(expect.arrayContaining(adjacent));
    }),
    { numRuns: 1_000 },
  );
});

test('a gap is between two numbers and replaces at least two pages', () => {
  fc.assert(
    fc.property(place, ([page, pages]) => {
      const items = pageWindow(page, pages);
      for (const [index, item] of items.entries()) {
        const [before, after] = [items[index - 1], items[index + 1]];
        if (item === 'gap') expect(Number(after) - Number(before)).toBeGreaterThan(2);
        else if (before !== 'gap' && before !== undefined) expect(item).toBe(before + 1);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a long pager has seven to nine items, always nine away from its ends', () => {
  fc.assert(
    fc.property(place, ([page, pages]) => {
      const { length } = pageWindow(page, pages);
      expect(length).toBeLessThanOrEqual(9);
      expect(length).toBeGreaterThanOrEqual(Math.min(pages, 7));
      if (page > 4 && page <= pages - 4) expect(length).toBe(9);
    }),
    { numRuns: 1_000 },
  );
});
