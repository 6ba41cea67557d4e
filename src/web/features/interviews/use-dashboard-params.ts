import { useSearchParams } from 'wouter';
import {
  type InterviewFilters,
  NO_FILTERS,
  readFilters,
  writeFilters,
} from '#web/features/interviews/interview-filters.ts';
import { type Layout, readLayout, rememberLayout } from '#web/features/interviews/layout.ts';

/** Filters, page and layout of the dashboard, as they stand in the address. */
export function useDashboardParams() {
  const [params, setParams] = useSearchParams();
  const filters = readFilters(params);
  const layout = readLayout(params);

  const write = (filters: InterviewFilters, before: URLSearchParams, replace: boolean) => {
    const next = writeFilters(filters);
    const layout = before.get('layout');
    if (layout) next.set('layout', layout);
    setParams(next, { replace });
  };
  return {
    filters,
    layout,
    /** A change of filter starts at the first page again and leaves no step for Back; turning a page does. */
    change: (part: Partial<Omit<InterviewFilters, 'page'>>) => {
      // Read when it is written: a search that was typed a moment ago must not undo a filter chosen since.
      const now = new URLSearchParams(location.search);
      write({ ...readFilters(now), ...part, page: 1 }, now, true);
    },
    clear: () => write(NO_FILTERS, params, true),
    turnTo: (page: number) => write({ ...filters, page }, params, false),
    setLayout: (layout: Layout) => {
      rememberLayout(layout);
      const next = writeFilters(filters);
      next.set('layout', layout);
      setParams(next, { replace: true });
    },
  };
}
