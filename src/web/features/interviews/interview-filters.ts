import type { CallInput } from '#contracts/endpoint.ts';
import { BADGE_LABELS, BADGES } from '#contracts/rules/badges.ts';
import { FUNNEL_LIMITS, LARGEST_ROW_ID, MOST_REPEATED, SEARCH_LIMIT } from '#contracts/rules/limits.ts';
import type { listInterviews } from '#web/lib/api.ts';
import { type DateRange, dayParam, parseDay, rangeMoments } from '#web/ui/date-range.ts';
import { parsePage } from '#web/ui/page-param.ts';

/** Section 9 of the specification. */
export const PAGE_SIZE = 10;

export const STATUS_OPTIONS = [
  { value: 'all', label: 'All Statuses' },
  ...BADGES.map((badge) => ({ value: badge, label: BADGE_LABELS[badge] })),
] as const;

export interface InterviewFilters {
  search: string;
  funnels: readonly number[];
  clients: readonly string[];
  status: (typeof STATUS_OPTIONS)[number]['value'];
  range: DateRange | null;
  page: number;
}

export const NO_FILTERS: InterviewFilters = {
  search: '',
  funnels: [],
  clients: [],
  status: 'all',
  range: null,
  page: 1,
};

/** What the server does not take counts as not chosen: a link with more must not end in an error. */
const rowId = (text: string) => {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 && number <= LARGEST_ROW_ID ? number : null;
};
const isClient = (name: string) => name !== '' && name.length <= FUNNEL_LIMITS.clientName && !name.includes('\0');

/** Filters from the page's query; what cannot be read counts as not given. */
export function readFilters(params: URLSearchParams): InterviewFilters {
  const [from, to] = [parseDay(params.get('from')), parseDay(params.get('to'))];
  return {
    search: (params.get('search') ?? '').replaceAll('\0', '').slice(0, SEARCH_LIMIT).toWellFormed(),
    funnels: params
      .getAll('funnel')
      .map(rowId)
      .filter((id) => id !== null)
      .slice(0, MOST_REPEATED),
    clients: params.getAll('client').filter(isClient).slice(0, MOST_REPEATED),
    status: STATUS_OPTIONS.find(({ value }) => value === params.get('status'))?.value ?? 'all',
    range: from && to && from <= to ? { from, to } : null,
    page: parsePage(params.get('page')),
  };
}

/** The query of filters, without what is not set, so that links stay short. */
export function writeFilters({ search, funnels, clients, status, range, page }: InterviewFilters): URLSearchParams {
  return new URLSearchParams([
    ...(search ? [['search', search]] : []),
    ...funnels.map((id) => ['funnel', String(id)]),
    ...clients.map((name) => ['client', name]),
    ...(status === 'all' ? [] : [['status', status]]),
    ...(range
      ? [
          ['from', dayParam(range.from)],
          ['to', dayParam(range.to)],
        ]
      : []),
    ...(page > 1 ? [['page', String(page)]] : []),
  ]);
}

export const hasFilters = ({ search, funnels, clients, status, range }: InterviewFilters) =>
  search.trim() !== '' || funnels.length > 0 || clients.length > 0 || status !== 'all' || range !== null;

/** What the server is asked for. Texts are left out: a viewer reads them when it opens. */
export const listInput = ({ search, funnels, clients, status, range, page }: InterviewFilters) =>
  ({
    query: {
      page,
      limit: PAGE_SIZE,
      search: search.trim() || undefined,
      funnelId: [...funnels],
      clientName: [...clients],
      status,
      ...(range && rangeMoments(range)),
      texts: 'false',
    },
  }) satisfies CallInput<typeof listInterviews>;
