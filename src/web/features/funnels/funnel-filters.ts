import type { Funnel } from '#contracts/funnels.ts';
import type { FilterFormat } from '#web/lib/use-url-filters.ts';
import { parsePage } from '#web/ui/layout/page-numbers.ts';

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

export interface FunnelFilters {
  search: string;
  status: (typeof STATUS_OPTIONS)[number]['value'];
  sort: (typeof SORT_OPTIONS)[number]['value'];
  page: number;
}

const DEFAULTS: FunnelFilters = { search: '', status: 'all', sort: 'newest', page: 1 };

const NAMES = Object.keys(DEFAULTS) as (keyof FunnelFilters)[];

export const FUNNEL_FILTERS: FilterFormat<FunnelFilters> = {
  names: NAMES,
  read: (params) => ({
    search: params.get('search') ?? DEFAULTS.search,
    status: STATUS_OPTIONS.find(({ value }) => value === params.get('status'))?.value ?? DEFAULTS.status,
    sort: SORT_OPTIONS.find(({ value }) => value === params.get('sort'))?.value ?? DEFAULTS.sort,
    page: parsePage(params.get('page')),
  }),
  write: (filters) =>
    new URLSearchParams(
      NAMES.filter((name) => filters[name] !== DEFAULTS[name]).map((name) => [name, String(filters[name])]),
    ),
};

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
