import type { CallInput } from '#contracts/endpoint.ts';
import type { listInterviews } from '#contracts/interviews.ts';
import { BADGE_LABELS, BADGES } from '#contracts/rules/badges.ts';
import { FUNNEL_LIMITS, MAX_REPEATED_VALUES, MAX_ROW_ID, MAX_SEARCH_LENGTH } from '#contracts/rules/limits.ts';
import { urlOf } from '#web/lib/call.ts';
import { createStore } from '#web/lib/store.ts';
import { isReview } from '#web/lib/use-dialog.ts';
import type { FilterFormat } from '#web/lib/use-url-filters.ts';
import { type DateRange, dayParam, parseDay, rangeMoments } from '#web/ui/forms/date-range.ts';
import { parsePage } from '#web/ui/layout/page-numbers.ts';

/** Section 9 of the specification. */
export const PAGE_SIZE = 10;

export const STATUS_OPTIONS = [
  { value: 'all', label: 'All Statuses' },
  ...BADGES.map((badge) => ({ value: badge, label: BADGE_LABELS[badge] })),
] as const;

/** Filters by the user's own reviews. */
export const REVIEW_OPTIONS = [
  { value: 'all', label: 'All Reviews' },
  { value: 'missing', label: 'My review missing' },
  { value: 'yes', label: 'My yes' },
  { value: 'no', label: 'My no' },
] as const;

export const SORT_OPTIONS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'longest', label: 'Longest first' },
  { value: 'oldest-unwatched', label: 'Oldest unwatched' },
] as const;

const ORDERS = ['newest', 'oldest', 'longest'] as const;
type ListOrder = (typeof ORDERS)[number];

export interface InterviewFilters {
  search: string;
  funnels: readonly number[];
  clients: readonly string[];
  status: (typeof STATUS_OPTIONS)[number]['value'];
  range: DateRange | null;
  /** True for the list of archived interviews. */
  archived: boolean;
  /** True for interviews that the user has not watched. */
  unwatched: boolean;
  review: (typeof REVIEW_OPTIONS)[number]['value'];
  /** True for interviews that are ready to send. */
  ready: boolean;
  sort: ListOrder;
  page: number;
}

export const NO_FILTERS: InterviewFilters = {
  search: '',
  funnels: [],
  clients: [],
  status: 'all',
  range: null,
  archived: false,
  unwatched: false,
  review: 'all',
  ready: false,
  sort: 'newest',
  page: 1,
};

// Values that the server refuses are ignored, so that a bad link does not end in an error.
const rowId = (text: string) => {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 && number <= MAX_ROW_ID ? number : null;
};
const isClient = (name: string) => name !== '' && name.length <= FUNNEL_LIMITS.clientName && !name.includes('\0');

const DECISIONS = ['yes', 'no'] as const;

const reviewQuery = (review: InterviewFilters['review']): { unreviewed?: '1'; decision?: 'yes' | 'no' } => {
  if (review === 'all') return {};
  return review === 'missing' ? { unreviewed: '1' } : { decision: review };
};

export const INTERVIEW_FILTERS: FilterFormat<InterviewFilters> = {
  names: [
    ...['search', 'funnel', 'client', 'status', 'from', 'to', 'archived', 'unwatched', 'unreviewed', 'decision'],
    ...['ready', 'sort', 'page'],
  ],
  read: (params) => {
    const [from, to] = [parseDay(params.get('from')), parseDay(params.get('to'))];
    return {
      search: (params.get('search') ?? '').replaceAll('\0', '').slice(0, MAX_SEARCH_LENGTH).toWellFormed(),
      funnels: params
        .getAll('funnel')
        .map(rowId)
        .filter((id) => id !== null)
        .slice(0, MAX_REPEATED_VALUES),
      clients: params.getAll('client').filter(isClient).slice(0, MAX_REPEATED_VALUES),
      status: STATUS_OPTIONS.find(({ value }) => value === params.get('status'))?.value ?? 'all',
      range: from && to && from <= to ? { from, to } : null,
      archived: params.get('archived') === '1',
      unwatched: params.get('unwatched') === '1',
      review:
        params.get('unreviewed') === '1'
          ? 'missing'
          : (DECISIONS.find((one) => one === params.get('decision')) ?? 'all'),
      ready: params.get('ready') === '1',
      sort: ORDERS.find((order) => order === params.get('sort')) ?? 'newest',
      page: parsePage(params.get('page')),
    };
  },
  write: ({ search, funnels, clients, status, range, archived, unwatched, review, ready, sort, page }) =>
    new URLSearchParams([
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
      ...(archived ? [['archived', '1']] : []),
      ...(unwatched ? [['unwatched', '1']] : []),
      ...Object.entries(reviewQuery(review)),
      ...(ready ? [['ready', '1']] : []),
      ...(sort === 'newest' ? [] : [['sort', sort]]),
      ...(page > 1 ? [['page', String(page)]] : []),
    ]),
};

/** The list of archived interviews is a separate view, so it does not count as a filter. */
export const hasInterviewFilters = (filters: InterviewFilters) =>
  filters.search.trim() !== '' || countFilters(filters) > 0;

/** The number of filters that are set, without the search. */
export const countFilters = ({ range, ...filters }: InterviewFilters): number =>
  [
    filters.funnels.length > 0,
    filters.clients.length > 0,
    filters.status !== 'all',
    range !== null,
    filters.unwatched,
    filters.review !== 'all',
    filters.ready,
  ].filter(Boolean).length;

/** The order as one of `SORT_OPTIONS`. */
export const sortOf = ({ sort, unwatched }: InterviewFilters) =>
  sort === 'oldest' && unwatched ? 'oldest-unwatched' : sort;

/** When the last review of this tab began. A reload continues that review. */
const REVIEW_BEGAN = 'review began';
const reviewBeganAt = createStore(
  (isReview(new URLSearchParams(location.search)) && sessionStorage.getItem(REVIEW_BEGAN)) || new Date().toISOString(),
);

/**
 * Interviews that are watched or reviewed from now on stay in the lists of unwatched and unreviewed
 * ones until the page is reloaded outside of the review.
 */
export function beginReview(): void {
  reviewBeganAt.set(new Date().toISOString());
  sessionStorage.setItem(REVIEW_BEGAN, reviewBeganAt.get());
}

/** The unwatched interviews of a list, or of one of its jobs. */
export const reviewFilters = (filters: InterviewFilters, job?: number): InterviewFilters => ({
  ...filters,
  unwatched: true,
  ...(job !== undefined && { funnels: [job] }),
});

/** The filters as parameters of the API, without the page. */
export const filterQuery = ({ search, funnels, clients, status, range, ...filters }: InterviewFilters) => ({
  search: search.trim() || undefined,
  funnelId: [...funnels],
  clientName: [...clients],
  status,
  ...(range && rangeMoments(range)),
  ...(filters.archived && { archived: '1' as const }),
  ...(filters.unwatched && { unwatched: '1' as const }),
  ...reviewQuery(filters.review),
  ...((filters.unwatched || filters.review === 'missing') && { asOf: reviewBeganAt.get() }),
  ...(filters.ready && { ready: '1' as const }),
});

/** The URL of a CSV file of these interviews, or with `ids` only of those. */
export const csvUrl = (filters: InterviewFilters, ids?: Iterable<string>): string =>
  urlOf(
    '/api/interviews.csv',
    {},
    {
      ...(ids ? { id: [...ids], archived: filters.archived ? '1' : '' } : filterQuery(filters)),
      ...sortQuery(filters),
    },
  );

/** The order as a parameter of the API. */
export const sortQuery = ({ sort }: InterviewFilters) => sort !== 'newest' && { sort };

/**
 * The arguments of `GET /api/interviews`. Texts are left out: the dialogs read them when they open.
 */
export const interviewListInput = (filters: InterviewFilters) =>
  ({
    query: {
      page: filters.page,
      limit: PAGE_SIZE,
      ...filterQuery(filters),
      ...sortQuery(filters),
      texts: 'false',
    },
  }) satisfies CallInput<typeof listInterviews>;
