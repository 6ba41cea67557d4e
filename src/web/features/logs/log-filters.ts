import type { CallInput } from '#contracts/endpoint.ts';
import type { listLogs } from '#contracts/logs.ts';
import { LOG_TYPES, type LogType } from '#contracts/logs.ts';
import type { FilterFormat } from '#web/lib/use-url-filters.ts';
import { type DateRange, dayParam, parseDay, rangeMoments } from '#web/ui/forms/date-range.ts';
import { parsePage } from '#web/ui/layout/page-numbers.ts';

/** Section 9 of the specification. */
export const PAGE_SIZE = 10;

export interface LogFilters {
  type: LogType | 'all';
  range: DateRange | null;
  /** Whether the entries of `VIEW_ACTIONS` are listed too. */
  hasViews: boolean;
  page: number;
}

export const LOG_FILTERS: FilterFormat<LogFilters> = {
  names: ['type', 'from', 'to', 'views', 'page'],
  read: (params) => {
    const [from, to] = [parseDay(params.get('from')), parseDay(params.get('to'))];
    return {
      type: LOG_TYPES.find((type) => type === params.get('type')) ?? 'all',
      range: from && to && from <= to ? { from, to } : null,
      hasViews: params.get('views') === 'true',
      page: parsePage(params.get('page')),
    };
  },
  write: ({ type, range, hasViews, page }) => {
    const params = new URLSearchParams();
    if (type !== 'all') params.set('type', type);
    if (range) {
      params.set('from', dayParam(range.from));
      params.set('to', dayParam(range.to));
    }
    if (hasViews) params.set('views', 'true');
    if (page > 1) params.set('page', String(page));
    return params;
  },
};

/** The arguments of `GET /api/logs`. */
export const logListInput = ({ type, range, hasViews, page }: LogFilters) =>
  ({
    query: {
      page,
      limit: PAGE_SIZE,
      type: type === 'all' ? undefined : type,
      ...(range && rangeMoments(range)),
      views: hasViews ? 'true' : undefined,
    },
  }) satisfies CallInput<typeof listLogs>;
