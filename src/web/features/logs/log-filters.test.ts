import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { listInput, PAGE_SIZE, readFilters, writeFilters } from '#web/features/logs/log-filters.ts';

const value = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.integer().map(String),
  fc.maxSafeNat().map(String),
  fc.constantFrom('2026-03-01', '2026-03-09', '9999-12-31', '1000-01-01', '0000-01-01', 'auth', 'error', 'all', '1e9'),
);
const name = fc.constantFrom('type', 'from', 'to', 'page', '__proto__');
const params = fc.array(fc.tuple(name, value), { maxLength: 10 }).map((pairs) => new URLSearchParams(pairs));

afterEach(() => void vi.unstubAllEnvs());

test.each(['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
  'whatever stands in a link, in %s too, the server is asked for something that it takes',
  (zone) => {
    vi.stubEnv('TZ', zone);
    fc.assert(
      fc.property(params, (given) => {
        const { query } = listInput(readFilters(given));
        const sent = { ...query, page: String(query.page), limit: String(query.limit) };
        const asked = listLogs.query?.safeParse(sent);
        expect(asked?.error?.issues ?? []).toEqual([]);
        if (query.startDate) expect(query.startDate < (query.endDate ?? '')).toBe(true);
        expect(asked?.data).toMatchObject({ page: query.page, limit: PAGE_SIZE });
      }),
      { numRuns: 1_000 },
    );
  },
);

test('what is written into the address is read from it again, and written the same', () => {
  fc.assert(
    fc.property(params, (given) => {
      const filters = readFilters(given);
      const written = writeFilters(filters).toString();
      expect(readFilters(new URLSearchParams(written))).toEqual(filters);
      expect(writeFilters(readFilters(new URLSearchParams(written))).toString()).toBe(written);
    }),
    { numRuns: 1_000 },
  );
});
