import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { Interview, listInterviews } from '#contracts/interviews.ts';
import type { interviewListInput } from './interview-filters.ts';

const LISTS = { queryKey: ['/api/interviews'] } as const;
type Page = ResponseOf<typeof listInterviews> | null;

/** Refetches the visible pages. Resolves when they have arrived. */
export function reloadInterviews(queryClient: QueryClient): Promise<void> {
  // A dialog opened by a link reads its interview separately.
  queryClient.invalidateQueries({ queryKey: ['/api/interviews/:id'] });
  queryClient.invalidateQueries({ queryKey: ['/api/review'] });
  return queryClient.invalidateQueries(LISTS);
}

/**
 * Refetches visible pages and texts of these interviews. Everything else is refetched when it is
 * next visible.
 */
export function reloadEdited(queryClient: QueryClient, ids: ReadonlySet<string>): void {
  const showsEdited = (page: Page | undefined) => page?.interviews.some(({ id }) => ids.has(id));
  queryClient.invalidateQueries({ ...LISTS, refetchType: 'none' });
  queryClient.invalidateQueries({
    ...LISTS,
    type: 'active',
    // A first read has no interviews yet. `invalidateQueries` calls this again when it ends.
    predicate: ({ state }) =>
      showsEdited(state.data as Page) === true || (state.data === undefined && state.fetchStatus === 'fetching'),
  });
  for (const id of ids)
    for (const path of [
      '/api/interviews/:id',
      '/api/interviews/:id/transcript',
      '/api/interviews/:id/summary',
    ] as const)
      queryClient.invalidateQueries({ queryKey: [path, { params: { id } }] });
}

/** Changes one interview in all cached pages. Outdated pages stay outdated. */
export function patchInterview(
  queryClient: QueryClient,
  id: string,
  change: (interview: Interview) => Partial<Interview>,
) {
  for (const query of queryClient.getQueryCache().findAll(LISTS)) {
    const page = query.state.data as Page | undefined;
    if (!page?.interviews.some((interview) => interview.id === id)) continue;
    const interviews = page.interviews.map((interview) =>
      interview.id === id ? { ...interview, ...change(interview) } : interview,
    );
    const { isInvalidated, dataUpdatedAt } = query.state;
    queryClient.setQueryData(query.queryKey, { ...page, interviews }, { updatedAt: dataUpdatedAt });
    if (isInvalidated) query.invalidate();
  }
}

/** The key of the page after `key`. */
function nextPageKey([path, input]: QueryKey): QueryKey {
  const { query } = input as ReturnType<typeof interviewListInput>;
  return [path, { query: { ...query, page: query.page + 1 } }];
}

/**
 * Removes an interview from all cached pages. The first one of the next page, where that is cached,
 * moves up, so that no place stays empty. Returns a function that restores the pages.
 */
export function removeInterview(queryClient: QueryClient, id: string): () => void {
  // A pending read would bring it back.
  queryClient.cancelQueries(LISTS);
  const before = queryClient.getQueriesData<Page>(LISTS);
  for (const [key, page] of before) {
    if (!page?.interviews.some((interview) => interview.id === id)) continue;
    const others = page.interviews.filter((interview) => interview.id !== id);
    // The next page may be older, and begin with interviews that are on this one already.
    const moved = queryClient
      .getQueryData<Page>(nextPageKey(key))
      ?.interviews.find((next) => !page.interviews.some((interview) => interview.id === next.id));
    queryClient.setQueryData(key, {
      ...page,
      interviews: moved ? [...others, moved] : others,
      total: page.total - 1,
    });
  }
  return () => {
    for (const [key, page] of before) queryClient.setQueryData(key, page);
  };
}
