import { navigate, useSearch } from 'wouter/use-browser-location';

/** How the filters of a list are stored in the URL. */
export interface FilterFormat<Filters> {
  /** The parameters that belong to the filters. All others survive a change of filters. */
  names: readonly string[];
  /** Unknown and invalid values become the default. */
  read: (params: URLSearchParams) => Filters;
  /** Leaves out default values, so that links stay short. */
  write: (filters: Filters) => URLSearchParams;
}

/**
 * Filters and page of a list, stored in the URL. Every change returns to the first page unless
 * it sets one.
 */
export function useUrlFilters<Filters extends { page: number }>(format: FilterFormat<Filters>) {
  const search = useSearch();
  const update = (part: Partial<Filters>, replace: boolean) => {
    // Read the URL now: a search typed a moment ago must not undo a filter chosen since.
    const current = new URLSearchParams(location.search);
    const next = format.write({ ...format.read(current), page: 1, ...part });
    for (const [name, value] of current) if (!format.names.includes(name)) next.append(name, value);
    navigate(urlWith(next), { replace });
  };
  return {
    filters: format.read(new URLSearchParams(search)),
    /** Replaces the history entry: Back does not undo a filter. */
    change: (part: Partial<Omit<Filters, 'page'>>) => update(part as Partial<Filters>, true),
    /** Adds a history entry: Back returns to the previous page or tab. */
    goTo: (part: Partial<Filters>) => update(part, false),
    /** Also shows its beginning. */
    goToPage: (page: number) => {
      update({ page } as Partial<Filters>, false);
      scrollTo({ top: 0 });
    },
  };
}

/** The URL of this page with other parameters. */
export const urlWith = (params: URLSearchParams): string =>
  params.size > 0 ? `${location.pathname}?${params}` : location.pathname;
