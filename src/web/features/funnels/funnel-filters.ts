import type { Funnel } from '#contracts/funnels.ts';
import { parsePage } from '#web/ui/page-param.ts';

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

/** Filters from the page's query; what cannot be read counts as not given. */
export function readFilters(params: URLSearchParams): FunnelFilters {
  return {
    search: params.get('search') ?? DEFAULTS.search,
    status: STATUS_OPTIONS.find(({ value }) => value === params.get('status'))?.value ?? DEFAULTS.status,
    sort: SORT_OPTIONS.find(({ value }) => value === params.get('sort'))?.value ?? DEFAULTS.sort,
    page: parsePage(params.get('page')),
  };
}

/** The query of filters, without what is the default, so that links stay short. */
export const writeFilters = (filters: FunnelFilters) =>
  new URLSearchParams(
    (Object.keys(DEFAULTS) as (keyof FunnelFilters)[])
      .filter((name) => filters[name] !== DEFAULTS[name])
      .map((name) => [name, String(filters[name])]),
  );

export const hasFilters = ({ search, status }: FunnelFilters) => search.trim() !== '' || status !== 'all';

const matchesSearch = (funnel: Funnel, wanted: string) =>
  [funnel.name, funnel.clientName, funnel.description].some((text) => text?.toLowerCase().includes(wanted));

/** The funnels that match, in the chosen order, all pages of them. */
export function filterFunnels(funnels: readonly Funnel[], { search, status, sort }: FunnelFilters): Funnel[] {
  const wanted = search.trim().toLowerCase();
  const direction = sort === 'newest' ? -1 : 1;
  return funnels
    .filter((funnel) => matchesSearch(funnel, wanted))
    .filter((funnel) => status === 'all' || funnel.isActive === (status === 'active'))
    .sort((a, b) => direction * (Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.id - b.id));
}
