import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PageNumber } from '#contracts/fields.ts';
import type { Funnel } from '#contracts/funnels.ts';
import {
  type FunnelFilters,
  filterFunnels,
  hasFilters,
  readFilters,
  SORT_OPTIONS,
  STATUS_OPTIONS,
  writeFilters,
} from '#web/features/funnels/funnel-filters.ts';

const values = (options: readonly { value: string }[]) => options.map((option) => option.value);
const value = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.integer().map(String),
  fc.maxSafeNat().map(String),
  fc.constantFrom(...values(STATUS_OPTIONS), ...values(SORT_OPTIONS), '1e9', 'x'.repeat(3_000), 'toString'),
);
const name = fc.constantFrom('search', 'status', 'sort', 'page', '__proto__');
const params = fc.array(fc.tuple(name, value), { maxLength: 10 }).map((pairs) => new URLSearchParams(pairs));

test('whatever stands in a link, the page is shown with filters that it offers', () => {
  fc.assert(
    fc.property(params, (given) => {
      const filters = readFilters(given);
      expect(values(STATUS_OPTIONS)).toContain(filters.status);
      expect(values(SORT_OPTIONS)).toContain(filters.sort);
      expect(PageNumber.safeParse(filters.page).data).toBe(filters.page);
    }),
    { numRuns: 1_000 },
  );
});

test('what is written into the address is read from it again, and nothing is written for what is not set', () => {
  fc.assert(
    fc.property(params, (given) => {
      const filters = readFilters(given);
      const written = writeFilters(filters);
      expect(readFilters(new URLSearchParams(written.toString()))).toEqual(filters);
      const defaults = readFilters(new URLSearchParams());
      const set = (Object.keys(defaults) as (keyof FunnelFilters)[]).filter((key) => filters[key] !== defaults[key]);
      expect([...written.keys()].sort()).toEqual(set.sort());
    }),
    { numRuns: 1_000 },
  );
});

/** Few letters and moments, so that funnels match and are as old as each other. */
const words = fc.string({ unit: fc.constantFrom('a', 'B', 'ä', ' ', 'İ'), maxLength: 4 });
const funnels = fc.uniqueArray(
  fc
    .record({
      id: fc.integer({ min: 1, max: 50 }),
      name: words,
      clientName: fc.option(words),
      description: fc.option(words),
      isActive: fc.boolean(),
      createdAt: fc.integer({ min: 1, max: 3 }).map((day) => `2026-03-0${day}T10:00:00.000Z`),
    })
    .map((funnel) => funnel as Funnel),
  { selector: ({ id }) => id, maxLength: 12 },
);

test('whatever is searched for, each funnel that matches is shown once, in the order that was chosen', () => {
  fc.assert(
    fc.property(funnels, params, words, (all, given, search) => {
      const filters = { ...readFilters(given), search };
      const shown = filterFunnels(all, filters);
      const wanted = search.trim().toLowerCase();
      const matching = all.filter(
        ({ name, clientName, description, isActive }) =>
          [name, clientName ?? '', description ?? ''].some((text) => text.toLowerCase().includes(wanted)) &&
          (filters.status === 'all' || (filters.status === 'active') === isActive),
      );
      expect(new Set(shown)).toEqual(new Set(matching));
      expect(shown).toHaveLength(matching.length);
      const order = shown.map(({ createdAt, id }) => createdAt + String(id).padStart(3, '0'));
      expect(order).toEqual(filters.sort === 'newest' ? order.toSorted().reverse() : order.toSorted());
      if (!hasFilters(filters)) expect(shown).toHaveLength(all.length);
    }),
    { numRuns: 1_000 },
  );
});
