import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PageNumber } from '#contracts/fields.ts';
import type { Funnel } from '#contracts/funnels.ts';
import { anyCharacter } from '#support/any-character.ts';
import {
  FUNNEL_FILTERS,
  type FunnelFilters,
  filterFunnels,
  hasFunnelFilters,
  SORT_OPTIONS,
  STATUS_OPTIONS,
} from './funnel-filters.ts';

const values = (options: readonly { value: string }[]) => options.map((option) => option.value);
const value = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc.integer().map(String),
  fc.maxSafeNat().map(String),
  fc.constantFrom(...values(STATUS_OPTIONS), ...values(SORT_OPTIONS), '1e9', 'x'.repeat(3_000), 'toString'),
);
const name = fc.constantFrom('search', 'status', 'sort', 'page', '__proto__');
const params = fc.array(fc.tuple(name, value), { maxLength: 10 }).map((pairs) => new URLSearchParams(pairs));

test('any link results in filters that the page offers', () => {
  fc.assert(
    fc.property(params, (link) => {
      const filters = FUNNEL_FILTERS.read(link);
      expect(values(STATUS_OPTIONS)).toContain(filters.status);
      expect(values(SORT_OPTIONS)).toContain(filters.sort);
      expect(PageNumber.safeParse(filters.page).data).toBe(filters.page);
    }),
    { numRuns: 1_000 },
  );
});

test('filters written to the address are read back unchanged, and defaults are not written', () => {
  fc.assert(
    fc.property(params, (link) => {
      const filters = FUNNEL_FILTERS.read(link);
      const written = FUNNEL_FILTERS.write(filters);
      expect(FUNNEL_FILTERS.read(new URLSearchParams(written.toString()))).toEqual(filters);
      const defaults = FUNNEL_FILTERS.read(new URLSearchParams());
      const set = (Object.keys(defaults) as (keyof FunnelFilters)[]).filter((key) => filters[key] !== defaults[key]);
      expect([...written.keys()].sort()).toEqual(set.sort());
    }),
    { numRuns: 1_000 },
  );
});

/** Few letters and dates, so that funnels often match and are often equally old. */
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

test('every matching funnel is shown once, in the chosen order', () => {
  fc.assert(
    fc.property(funnels, params, words, (all, link, search) => {
      const filters = { ...FUNNEL_FILTERS.read(link), search };
      const shown = filterFunnels(all, filters);
      const term = search.trim().toLowerCase();
      const matching = all.filter(
        ({ name, clientName, description, isActive }) =>
          [name, clientName ?? '', description ?? ''].some((text) => text.toLowerCase().includes(term)) &&
          (filters.status === 'all' || (filters.status === 'active') === isActive),
      );
      expect(new Set(shown)).toEqual(new Set(matching));
      expect(shown).toHaveLength(matching.length);
      const order = shown.map(({ createdAt, id }) => createdAt + String(id).padStart(3, '0'));
      expect(order).toEqual(filters.sort === 'newest' ? order.toSorted().reverse() : order.toSorted());
      if (!hasFunnelFilters(filters)) expect(shown).toHaveLength(all.length);
    }),
    { numRuns: 1_000 },
  );
});
