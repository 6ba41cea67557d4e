import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#web/lib/call.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { type LogFilters, logListInput } from './log-filters.ts';

/**
 * A page of log entries. Refetched on mount: new entries are only received while the page is open.
 */
export function logsQuery(filters: LogFilters) {
  const input = logListInput(filters);
  return queryOptions({
    queryKey: endpointQuery('/api/logs', input).queryKey,
    queryFn: ({ signal }) =>
      call('GET /api/logs', input, { signal }).catch((cause: unknown) => {
        signal.throwIfAborted();
        // Section 7 of the specification. The page shows its own message.
        throw new Error('Failed to fetch logs', { cause });
      }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
}
