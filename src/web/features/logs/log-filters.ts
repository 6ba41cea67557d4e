import type { CallInput } from '#contracts/endpoint.ts';
import { LOG_TYPES, type LogType } from '#contracts/logs.ts';
import type { listLogs } from '#web/lib/api.ts';
import { type DateRange, dayParam, parseDay, rangeMoments } from '#web/ui/date-range.ts';
import { parsePage } from '#web/ui/page-param.ts';

/** Section 9 of the specification. */
export const PAGE_SIZE = 10;

export interface LogFilters {
  type: LogType | 'all';
  range: DateRange | null;
  page: number;
}

/** Filters from the page's query; what cannot be read counts as not given. */
export function readFilters(params: URLSearchParams): LogFilters {
  const [from, to] = [parseDay(params.get('from')), parseDay(params.get('to'))];
  return {
    type: LOG_TYPES.find((type) => type === params.get('type')) ?? 'all',
    range: from && to && from <= to ? { from, to } : null,
    page: parsePage(params.get('page')),
  };
}

/** The query of filters, without what is not set, so that links stay short. */
export function writeFilters({ type, range, page }: LogFilters): URLSearchParams {
  const params = new URLSearchParams();
  if (type !== 'all') params.set('type', type);
  if (range) {
    params.set('from', dayParam(range.from));
    params.set('to', dayParam(range.to));
  }
  if (page > 1) params.set('page', String(page));
  return params;
}

/** What the server is asked for. */
export const listInput = ({ type, range, page }: LogFilters) =>
  ({
    query: {
      page,
      limit: PAGE_SIZE,
      type: type === 'all' ? undefined : type,
      ...(range && rangeMoments(range)),
    },
  }) satisfies CallInput<typeof listLogs>;
