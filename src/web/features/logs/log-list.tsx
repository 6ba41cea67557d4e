import type { UseQueryResult } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { Redirect } from 'wouter';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { LogEntry, listLogs } from '#contracts/logs.ts';
import { cn } from '#web/lib/cn.ts';
import { withDialog } from '#web/lib/use-dialog.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { LoadingPlaceholders, Skeleton } from '#web/ui/feedback/loading.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageOf } from '#web/ui/layout/pager.tsx';
import { LOG_FILTERS, type LogFilters, PAGE_SIZE } from './log-filters.ts';
import { LogTable } from './log-table.tsx';

interface Props {
  query: UseQueryResult<ResponseOf<typeof listLogs> | null>;
  filters: LogFilters;
  /** The id of the entry that just arrived. */
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
  // A link can name a page that no longer exists: show the last one.
  if (logs.length === 0 && !query.isFetching) {
    return (
      <Redirect
        to={`/system-logs?${withDialog(LOG_FILTERS.write({ ...filters, page: Math.ceil(total / PAGE_SIZE) }))}`}
        replace
      />
    );
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
  <LoadError title="Failed to load logs. Please try again." query={query} className="mb-4">
    {null}
  </LoadError>
);

const PLACES = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th', '9th', '10th'];

/** A page of placeholder rows, as tall as the entries. */
const LoadingLogs = () => (
  <div className="relative">
    <LoadingPlaceholders>Loading logs...</LoadingPlaceholders>
    <Card className="divide-y divide-line overflow-hidden">
      <div className="h-10 max-lg:hidden" />
      {PLACES.map((place) => (
        <RowSkeleton key={place} />
      ))}
    </Card>
  </div>
);

const RowSkeleton = () => (
  <div className="flex h-34 flex-col justify-center gap-3 px-4 sm:h-22.75 lg:h-15.5 lg:flex-row lg:items-center lg:justify-start lg:gap-10">
    <Skeleton className="h-4 w-40 shrink-0" />
    <Skeleton className="h-4 w-20 shrink-0 max-lg:hidden" />
    <Skeleton className="h-4 w-4/5 lg:w-1/2" />
  </div>
);
