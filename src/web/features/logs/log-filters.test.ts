import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { anyCharacter } from '#support/any-character.ts';
import { LOG_FILTERS, logListInput, PAGE_SIZE } from './log-filters.ts';

const value = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc.integer().map(String),
  fc.maxSafeNat().map(String),
  fc.constantFrom(
    '2026-03-01',
    '2026-03-09',
    '9999-12-31',
    'true',
    '1000-01-01',
    '0000-01-01',
    'auth',
    'error',
    'all',
    '1e9',
  ),
);
const name = fc.constantFrom('type', 'from', 'to', 'views', 'page', '__proto__');
const params = fc.array(fc.tuple(name, value), { maxLength: 10 }).map((pairs) => new URLSearchParams(pairs));

test.each(['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
  'any link results in a request that the server accepts, in the time zone %s',
  (zone) => {
    vi.stubEnv('TZ', zone);
    fc.assert(
      fc.property(params, (link) => {
        const { query } = logListInput(LOG_FILTERS.read(link));
        const sent = { ...query, page: String(query.page), limit: String(query.limit) };
        const parsed = listLogs.query?.safeParse(sent);
        expect(parsed?.error?.issues ?? []).toEqual([]);
        if (query.startDate) expect(query.startDate < (query.endDate ?? '')).toBe(true);
        expect(parsed?.data).toMatchObject({ page: query.page, limit: PAGE_SIZE });
      }),
      { numRuns: 1_000 },
    );
  },
);

test('filters written to the address are read back unchanged and written the same', () => {
  fc.assert(
    fc.property(params, (link) => {
      const filters = LOG_FILTERS.read(link);
      const written = LOG_FILTERS.write(filters).toString();
      expect(LOG_FILTERS.read(new URLSearchParams(written))).toEqual(filters);
      expect(LOG_FILTERS.write(LOG_FILTERS.read(new URLSearchParams(written))).toString()).toBe(written);
    }),
    { numRuns: 1_000 },
  );
});
