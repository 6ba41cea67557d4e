import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

const STALE_TIME_MS = 5 * 60_000;
const MAX_RETRIES = 3;
const FIRST_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;

/**
 * An invalidation during the first read of a query causes another read, unless `cancelRefetch` is
 * false. TanStack Query would use the one in progress, which may have missed the change.
 */
class FreshQueryClient extends QueryClient {
  override async invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    const firstReads = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined && options?.cancelRefetch !== false);
    const otherReads = firstReads.map(({ promise, queryKey }) =>
      promise?.then(
        // Several invalidations share the other read.
        () => super.invalidateQueries({ ...filters, queryKey, exact: true }, { cancelRefetch: false }),
        () => {},
      ),
    );
    await Promise.all([super.invalidateQueries(filters, options), ...otherReads]);
  }
}

/** Section 9 of the specification: how long reads are fresh, and which are retried. */
export const createQueryClient = () =>
  new FreshQueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_TIME_MS,
        refetchOnWindowFocus: true,
        retry: (failures, error) => !(error instanceof ApiError && error.status === 401) && failures < MAX_RETRIES,
        retryDelay: (attempt) => Math.min(FIRST_RETRY_DELAY_MS * 2 ** attempt, MAX_RETRY_DELAY_MS),
        // Browsers are often wrong about being offline: send the request and handle its failure.
        networkMode: 'always',
        // `networkMode` turns this off by default. Without it, errors of an outage stay until a
        // click on Retry.
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
