import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '#web/lib/api-error.ts';

const FRESH_MS = 5 * 60_000;
const RETRIES = 3;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** Section 9 of the specification: how long reads are fresh, and what is tried again. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        refetchOnWindowFocus: true,
        retry: (failures, error) => !(error instanceof ApiError && error.status === 401) && failures < RETRIES,
        retryDelay: (attempt) => Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS),
        // The browser's idea of being offline is often wrong: ask, and let the network error speak.
        networkMode: 'always',
        // Which would also leave the failures of an outage on the page until somebody presses Retry.
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
