import { useEffect } from 'react';
import { INTERVIEW_FILTERS, type InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { createStore } from '#web/lib/store.ts';

export interface Selection {
  ids: ReadonlySet<string>;
  /** All interviews that these filters found, and their number at that moment; instead of `ids`. */
  matches: { filters: InterviewFilters; total: number } | null;
}

const NONE: Selection = { ids: new Set(), matches: null };

const selection = createStore(NONE);
/** The start of a range: the interview, and its page of the list. */
const anchor = createStore<{ id: string; page: number; listed: readonly string[] } | null>(null);

export const clearSelection = (): void => {
  anchor.set(null);
  selection.set(NONE);
};

/** `listed` are the ids of the interviews on the page, in their order. */
export function toggleSelected(id: string, listed: readonly string[]): void {
  anchor.set({ id, page: currentPage(), listed });
  // After "Select all that match", clearing one box keeps only the others on this page.
  const ids = new Set(selection.get().matches ? listed : selection.get().ids);
  if (!ids.delete(id)) ids.add(id);
  selection.set(ids.size === 0 ? NONE : { ids, matches: null });
}

/**
 * Adds the interviews from the last one that was chosen to this one, even across two neighboring
 * pages.
 */
export function selectTo(id: string, listed: readonly string[]): void {
  const start = anchor.get() ?? { id, page: currentPage(), listed };
  anchor.set(start);
  const known = KNOWN[currentPage() - start.page]?.(start.listed, listed) ?? listed;
  const [from = -1, to = -1] = [known.indexOf(start.id), known.indexOf(id)].sort((a, b) => a - b);
  if (from < 0) toggleSelected(id, listed);
  else selection.set({ ids: new Set([...selection.get().ids, ...known.slice(from, to + 1)]), matches: null });
}

/** Adds all interviews of a page. */
export const selectPage = (listed: readonly string[]): void =>
  selection.set({ ids: new Set([...selection.get().ids, ...listed]), matches: null });

const currentPage = () => INTERVIEW_FILTERS.read(new URLSearchParams(location.search)).page;

type Ids = readonly string[];
/** The consecutive interviews, by the number of pages from the start of the range to this one. */
const KNOWN: Record<number, (begin: Ids, listed: Ids) => Ids> = {
  [-1]: (begin, listed) => [...listed, ...begin],
  1: (begin, listed) => [...begin, ...listed],
};

export const selectMatches = (filters: InterviewFilters, total: number): void =>
  selection.set({ ids: new Set(), matches: { filters, total } });

export const useSelection = (): Selection => selection.use();

export const useIsSelected = (id: string): boolean =>
  selection.use(({ ids, matches }) => matches !== null || ids.has(id));

export const useHasSelection = (): boolean => selection.use((current) => current !== NONE);

export const countSelected = ({ ids, matches }: Selection): number => matches?.total ?? ids.size;

/** Other filters, and leaving the page, end the selection. Another page of the list keeps it. */
export function useSelectionOf(filters: InterviewFilters): Selection {
  const key = INTERVIEW_FILTERS.write({ ...filters, page: 1 }).toString();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the trigger of the effect
  useEffect(() => clearSelection, [key]);
  return useSelection();
}
