import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ListQuery } from '#contracts/interviews.ts';
import { LARGEST_ROW_ID, LAST_PAGE } from '#contracts/rules/limits.ts';
import { listInput, readFilters, writeFilters } from '#web/features/interviews/interview-filters.ts';

const value = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.integer().map(String),
  fc.constantFrom(
    '2026-03-01',
    '2026-03-09',
    '9999-12-31',
    '0000-01-01',
    '0099-01-01',
    'sent',
    '1e9',
    '999999999999',
    'x'.repeat(300),
    '\0',
    '🙂'.repeat(150),
  ),
);
const name = fc.constantFrom('search', 'funnel', 'client', 'status', 'from', 'to', 'page', 'layout', '__proto__');
const params = fc.array(fc.tuple(name, value), { maxLength: 12 }).map((pairs) => new URLSearchParams(pairs));

test('whatever stands in a link, the server is asked for something that it takes', () => {
  fc.assert(
    fc.property(params, (given) => {
      const { query } = listInput(readFilters(given));
      const sent = { ...query, page: String(query.page), funnelId: query.funnelId.map(String) };
      expect(ListQuery.safeParse(sent).error?.issues ?? []).toEqual([]);
      expect(query.search ?? '').not.toContain('\0');
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['page', LAST_PAGE, 1],
  ['funnel', LARGEST_ROW_ID, []],
] as const)('the largest %s that the server takes is taken from a link, and no larger one', (name, largest, none) => {
  const read = (number: number) => {
    const { page, funnels } = readFilters(new URLSearchParams([[name, String(number)]]));
    return name === 'page' ? page : funnels;
  };
  expect([read(largest), read(largest + 1)]).toEqual([name === 'page' ? largest : [largest], none]);
});

test('what is written into the address is read from it again', () => {
  fc.assert(
    fc.property(params, (given) => {
      const filters = readFilters(given);
      expect(readFilters(new URLSearchParams(writeFilters(filters).toString()))).toEqual(filters);
    }),
    { numRuns: 2_000 },
  );
});
