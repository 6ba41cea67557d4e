import type { QueryClient } from '@tanstack/react-query';
import type { Answer } from '#contracts/endpoint.ts';
import type { Interview } from '#contracts/interviews.ts';
import { getSummary, getTranscript, listInterviews } from '#web/lib/api.ts';

const LISTS = { queryKey: [listInterviews.path] };
type Page = Answer<typeof listInterviews> | null;

/** Reads the pages in view again; resolves when they have arrived. */
export const reloadInterviews = (client: QueryClient) => client.invalidateQueries(LISTS);

/** Reads again the pages in view that show one of these, and what is open of their texts; everything else when it is next in view. */
export function reloadEdited(client: QueryClient, ids: ReadonlySet<string>): void {
  const showsOne = (page: Page | undefined) => page?.interviews.some(({ id }) => ids.has(id));
  client.invalidateQueries({ ...LISTS, refetchType: 'none' });
  client.refetchQueries({ ...LISTS, type: 'active', predicate: ({ state }) => showsOne(state.data as Page) === true });
  for (const id of ids)
    for (const { path } of [getTranscript, getSummary])
      client.invalidateQueries({ queryKey: [path, { params: { id } }] });
}

/** Changes one interview wherever it is shown. */
export function patchInterview(client: QueryClient, id: string, change: (interview: Interview) => Partial<Interview>) {
  client.setQueriesData<Page>(LISTS, (page) => {
    // The same page object: nobody who shows another interview is drawn again.
    if (!page?.interviews.some((interview) => interview.id === id)) return page;
    return {
      ...page,
      interviews: page.interviews.map((interview) =>
        interview.id === id ? { ...interview, ...change(interview) } : interview,
      ),
    };
  });
}

/** Takes an interview out of every page. Returns how to put it back. */
export function removeInterview(client: QueryClient, id: string): () => void {
  // A read on its way would bring it back.
  client.cancelQueries(LISTS);
  const before = client.getQueriesData<Page>(LISTS);
  client.setQueriesData<Page>(LISTS, (page) => {
    if (!page?.interviews.some((interview) => interview.id === id)) return page;
    return { interviews: page.interviews.filter((interview) => interview.id !== id), total: page.total - 1 };
  });
  return () => {
    for (const [key, page] of before) client.setQueryData(key, page);
  };
}
