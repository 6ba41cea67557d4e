import { useSearchParams } from 'wouter';
import { type LogFilters, readFilters, writeFilters } from '#web/features/logs/log-filters.ts';
import { type LogTab, tabOf } from '#web/features/logs/log-types.ts';

/** Tab, filters and page, as they stand in the address. Whatever changes the type or the range starts at the first page again. */
export function useLogParams() {
  const [params, setParams] = useSearchParams();
  const filters = readFilters(params);
  const write = (part: Partial<LogFilters>, replace: boolean) =>
    setParams(writeFilters({ ...filters, page: 1, ...part }), { replace });
  return {
    filters,
    /** A filter leaves no step for Back; a tab and a page do. */
    change: (part: Partial<Omit<LogFilters, 'page'>>) => write(part, true),
    openTab: (tab: LogTab) => {
      // A click opens a tab twice, by the pointer and by the focus that follows: one step is enough.
      const { type } = readFilters(new URLSearchParams(location.search));
      if (tabOf(type) !== tab) write({ type: tab }, false);
    },
    turnTo: (page: number) => write({ page }, false),
  };
}
