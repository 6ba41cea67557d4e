import { LOG_TYPES, type LogType } from '#contracts/logs.ts';

export const PAGE_SIZE = 10;

export const TYPE_OPTIONS: readonly { value: LogType | 'all'; label: string }[] = [
  { value: 'all', label: 'All Types' },
  { value: 'refresh', label: 'Refresh' },
  { value: 'auth', label: 'Authentication' },
  { value: 'system', label: 'System' },
  { value: 'error', label: 'Error' },
];

export interface LogFilters {
  type: LogType | 'all';
  page: number;
}

/** Filters from the page's query; what cannot be read counts as not given. */
export function readFilters(params: URLSearchParams): LogFilters {
  const page = Number(params.get('page'));
  return {
    type: LOG_TYPES.find((type) => type === params.get('type')) ?? 'all',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

export function writeFilters({ type, page }: LogFilters): URLSearchParams {
  const params = new URLSearchParams();
  if (type !== 'all') params.set('type', type);
  if (page > 1) params.set('page', String(page));
  return params;
}
