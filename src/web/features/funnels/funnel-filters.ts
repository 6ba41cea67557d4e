import type { Funnel } from '#contracts/funnels.ts';
import { choiceFilters } from '#web/ui/layout/choice-filters.ts';

export const PAGE_SIZE = 9;

export const STATUS_OPTIONS = [
  { value: 'all', label: 'All statuses' },
  { value: 'active', label: 'Active only' },
  { value: 'inactive', label: 'Inactive only' },
] as const;

export const SORT_OPTIONS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
] as const;

export const FUNNEL_FILTERS = choiceFilters({ status: STATUS_OPTIONS, sort: SORT_OPTIONS });
export type FunnelFilters = ReturnType<typeof FUNNEL_FILTERS.read>;

export const hasFunnelFilters = ({ search, status }: FunnelFilters) => search.trim() !== '' || status !== 'all';

const matchesSearch = (funnel: Funnel, term: string) =>
  [funnel.name, funnel.clientName, funnel.description].some((text) => text?.toLowerCase().includes(term));

/** Returns the matching funnels of all pages in the chosen order. */
export function filterFunnels(funnels: readonly Funnel[], { search, status, sort }: FunnelFilters): Funnel[] {
  const term = search.trim().toLowerCase();
  const direction = sort === 'newest' ? -1 : 1;
  return funnels
    .filter((funnel) => matchesSearch(funnel, term))
    .filter((funnel) => status === 'all' || funnel.isActive === (status === 'active'))
    .sort((a, b) => direction * (Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.id - b.id));
}
