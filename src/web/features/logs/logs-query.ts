import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type LogFilters, listInput } from '#web/features/logs/log-filters.ts';
import { listLogs } from '#web/lib/api.ts';
import { call } from '#web/lib/call.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';

/** A page of log entries. Read again whenever the page is opened: elsewhere nobody listens for new ones. */
export function logsQuery(filters: LogFilters) {
  const input = listInput(filters);
  return queryOptions({
    queryKey: endpointQuery(listLogs, input).queryKey,
    queryFn: ({ signal }) =>
      call(listLogs, input, { signal }).catch((cause: unknown) => {
        signal.throwIfAborted();
        // Section 7 of the specification; the page says it in words for people.
        throw new Error('Failed to fetch logs', { cause });
      }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
}
