import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { RefreshStatus } from '#contracts/sync.ts';
import { afterResponses } from '#web/lib/after-responses.ts';
import { call } from '#web/lib/call.ts';
import { logError } from '#web/lib/log.ts';
import { toastNews } from '#web/lib/toast.ts';

/** Section 9 of the specification. */
const POLLING_MS = 2_000;
const queryKey = ['/api/interviews/sync/status'] as const;

/** Polled while a refresh runs and patched by live messages. Null when the session has expired. */
export const refreshStatusQuery = queryOptions({
  queryKey,
  queryFn: async ({ signal, client: queryClient }): Promise<RefreshStatus | null> => {
    const before = queryClient.getQueryState(queryKey)?.dataUpdateCount;
    const response = await call('GET /api/interviews/sync/status', undefined, { signal }).catch((error) => {
      if (!signal.aborted) logError('The refresh status could not be read', error);
      throw error;
    });
    const state = queryClient.getQueryState<RefreshStatus | null>(queryKey);
    // A live message that arrived in the meantime is newer than this response.
    if (state?.data && state.dataUpdateCount !== before) return state.data;
    if (response && state?.data?.inProgress && !response.inProgress) announceEnd(queryClient, response);
    return response;
  },
  staleTime: 0,
  retry: false,
  refetchInterval: ({ state }) => (state.data?.inProgress ? POLLING_MS : false),
});

export const useRefreshStatus = () => useQuery(refreshStatusQuery).data ?? null;

export const setRefreshStatus = (queryClient: QueryClient, status: RefreshStatus) =>
  queryClient.setQueryData(queryKey, status);

/** Waits for a pending cancellation, whose toast comes first. */
export const announceEnd = (queryClient: QueryClient, status: RefreshStatus): void =>
  afterResponses(queryClient, { routes: ['POST /api/interviews/sync/cancel'] }, () => showEnd(queryClient, status));

function showEnd(queryClient: QueryClient, status: RefreshStatus): void {
  if (status.error !== null) {
    announceError(queryClient, status);
    return;
  }
  toastNews({
    title: 'Refresh Completed',
    description: status.message ?? undefined,
    variant: status.cancelRequested ? 'warning' : 'default',
  });
  reloadAfterRefresh(queryClient);
}

export function announceError(queryClient: QueryClient, { error }: RefreshStatus): void {
  toastNews({ title: 'Refresh Error', description: error ?? undefined, variant: 'destructive' });
  reloadAfterRefresh(queryClient);
}

/** Funnels show their number of interviews, their last refresh and why it failed. */
const CHANGED_BY_REFRESH = [
  '/api/interviews',
  '/api/review',
  '/api/funnels',
  '/api/setup',
  '/api/automations',
] as const;

/** A refresh that fails has stored interviews as well. */
function reloadAfterRefresh(queryClient: QueryClient): void {
  for (const path of CHANGED_BY_REFRESH) queryClient.invalidateQueries({ queryKey: [path] });
}
