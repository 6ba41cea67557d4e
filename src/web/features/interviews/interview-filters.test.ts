import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ListQuery } from '#contracts/interviews.ts';
import { MAX_PAGE, MAX_ROW_ID } from '#contracts/rules/limits.ts';
import { anyCharacter } from '#support/any-character.ts';
import { INTERVIEW_FILTERS, interviewListInput } from './interview-filters.ts';

const value = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc.integer().map(String),
  fc.constantFrom(
    '2026-03-01',
    '2026-03-09',
    '9999-12-31',
    '0000-01-01',
    '0099-01-01',
    'sent',
    '1',
    '1e9',
    '999999999999',
    'x'.repeat(300),
    '\0',
    '🙂'.repeat(150),
  ),
);
const name = fc.constantFrom(
  'search',
  'funnel',
  'client',
  'status',
  'from',
  'to',
  'archived',
  'unreviewed',
  'decision',
  'ready',
  'page',
  'layout',
  '__proto__',
);
const params = fc.array(fc.tuple(name, value), { maxLength: 12 }).map((pairs) => new URLSearchParams(pairs));

test('any link results in a request that the server accepts', () => {
  fc.assert(
    fc.property(params, (link) => {
      const { query } = interviewListInput(INTERVIEW_FILTERS.read(link));
      const sent = { ...query, page: String(query.page), funnelId: query.funnelId.map(String) };
      expect(ListQuery.safeParse(sent).error?.issues ?? []).toEqual([]);
      expect(query.search ?? '').not.toContain('\0');
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['page', MAX_PAGE, 1],
  ['funnel', MAX_ROW_ID, []],
] as const)('a link accepts the largest %s that the server accepts, and no larger one', (name, largest, none) => {
  const read = (number: number) => {
    const { page, funnels } = INTERVIEW_FILTERS.read(new URLSearchParams([[name, String(number)]]));
    return name === 'page' ? page : funnels;
  };
  expect([read(largest), read(largest + 1)]).toEqual([name === 'page' ? largest : [largest], none]);
});

test('filters written to the address are read back unchanged', () => {
  fc.assert(
    fc.property(params, (link) => {
      const filters = INTERVIEW_FILTERS.read(link);
      expect(INTERVIEW_FILTERS.read(new URLSearchParams(INTERVIEW_FILTERS.write(filters).toString()))).toEqual(filters);
    }),
    { numRuns: 2_000 },
  );
});
