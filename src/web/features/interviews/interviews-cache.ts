import type { QueryClient } from '@tanstack/react-query';
import type { Answer } from '#contracts/endpoint.ts';
import { type Interview, listInterviews } from '#contracts/interviews.ts';

const LISTS = { queryKey: [listInterviews.path] };
type Page = Answer<typeof listInterviews> | null;

/** Reads the pages in view again; resolves when they have arrived. */
export const reloadInterviews = (client: QueryClient) => client.invalidateQueries(LISTS);

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
