import { keepPreviousData } from '@tanstack/react-query';
import { listLogs } from '#contracts/logs.ts';
import { type LogFilters, listInput } from '#web/features/logs/log-filters.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';

/** A page of log entries. Read again whenever the page is opened: elsewhere nobody listens for new ones. */
export const logsQuery = (filters: LogFilters) => ({
  ...endpointQuery(listLogs, listInput(filters)),
  placeholderData: keepPreviousData,
  refetchOnMount: 'always' as const,
});
