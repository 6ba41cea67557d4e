import type { UseQueryResult } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { Redirect } from 'wouter';
import type { Answer } from '#contracts/endpoint.ts';
import type { LogEntry } from '#contracts/logs.ts';
import { LoadingLogs } from '#web/features/logs/loading-logs.tsx';
import { type LogFilters, PAGE_SIZE, writeFilters } from '#web/features/logs/log-filters.ts';
import { LogTable } from '#web/features/logs/log-table.tsx';
import type { listLogs } from '#web/lib/api.ts';
import { cn } from '#web/lib/cn.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageOf } from '#web/ui/page-of.tsx';

interface Props {
  query: UseQueryResult<Answer<typeof listLogs> | null>;
  filters: LogFilters;
  /** The entry that has just come in. */
  newest: number | null;
  onOpen: (log: LogEntry) => void;
  onPage: (page: number) => void;
}

export function LogList({ query, filters, newest, onOpen, onPage }: Props) {
  if (query.isPending) return <LoadingLogs />;
  if (query.isError && !query.data) return <Failure query={query} />;
  if (!query.data) return null;

  const { logs, total } = query.data;
  if (total === 0) return <EmptyState icon={<ScrollText />} title="No logs found for the selected filters." />;
  // A link is older than the retention, or names a page that never was.
  if (logs.length === 0 && !query.isFetching) {
    return <Redirect to={`/system-logs?${writeFilters({ ...filters, page: Math.ceil(total / PAGE_SIZE) })}`} replace />;
  }
  return (
    <>
      {query.isError && <Failure query={query} />}
      <div
        aria-busy={query.isPlaceholderData}
        className={cn('transition-opacity duration-150', query.isPlaceholderData && 'opacity-60')}
      >
        <LogTable logs={logs} newest={newest} onOpen={onOpen} />
      </div>
      <PageOf page={filters.page} pageSize={PAGE_SIZE} total={total} onPage={onPage} className="mt-4" />
    </>
  );
}

const Failure = ({ query }: Pick<Props, 'query'>) => (
  <Alert
    tone="danger"
    title="Failed to load logs. Please try again."
    className="mb-4"
    actions={
      <Button size="sm" pending={query.isFetching} onClick={() => query.refetch()}>
        Retry
      </Button>
    }
  />
);
