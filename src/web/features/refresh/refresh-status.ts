import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { RefreshStatus } from '#contracts/sync.ts';
import { announceEnd } from '#web/features/refresh/refresh-end.ts';
import { syncStatus } from '#web/lib/api.ts';
import { call } from '#web/lib/call.ts';
import { logError } from '#web/lib/log.ts';

/** Section 9 of the specification. */
const POLLING_MS = 2_000;
const queryKey = [syncStatus.path] as const;

/** The state of the refresh: read at once, then every 2 s while one runs, and patched by live messages. Null when the session has expired. */
export const refreshStatusQuery = queryOptions({
  queryKey,
  queryFn: async ({ signal, client }): Promise<RefreshStatus | null> => {
    const before = client.getQueryState(queryKey)?.dataUpdateCount;
    const answer = await call(syncStatus, undefined, { signal }).catch((error) => {
      if (!signal.aborted) logError('The refresh status could not be read', error);
      throw error;
    });
    const state = client.getQueryState<RefreshStatus | null>(queryKey);
    // What a live message brought meanwhile is newer than this answer.
    if (state?.data && state.dataUpdateCount !== before) return state.data;
    if (answer && state?.data?.inProgress && !answer.inProgress) announceEnd(client, answer);
    return answer;
  },
  staleTime: 0,
  retry: false,
  refetchInterval: ({ state }) => (state.data?.inProgress ? POLLING_MS : false),
});

export const useRefreshStatus = () => useQuery(refreshStatusQuery).data ?? null;

export const setRefreshStatus = (client: QueryClient, status: RefreshStatus) => client.setQueryData(queryKey, status);
