import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { listLogs } from '#contracts/logs.ts';
import { LiveIndicator } from '#web/features/logs/live-indicator.tsx';
import { type LogFilters, PAGE_SIZE, readFilters, TYPE_OPTIONS, writeFilters } from '#web/features/logs/log-filters.ts';
import { LogTable } from '#web/features/logs/log-table.tsx';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { subscribe, useLive } from '#web/lib/live.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { Alert } from '#web/ui/alert.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loading } from '#web/ui/loading.tsx';
import { PageOf } from '#web/ui/page-of.tsx';
import { Select } from '#web/ui/select.tsx';

export function LogsPage() {
  useTitle('System Logs');
  useLiveLogs();
  const [params, setParams] = useSearchParams();
  const filters = readFilters(params);
  const change = (part: Partial<LogFilters>) =>
    setParams(writeFilters({ ...filters, page: 1, ...part }), { replace: part.page === undefined });

  return (
    <>
      <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-2xl font-semibold tracking-tight">System Logs</h1>
          <p className="mt-0.5 text-muted">What the application did, newest first</p>
        </div>
        <div className="flex items-center gap-4">
          <LiveIndicator />
          <Select
            label="Log type"
            value={filters.type}
            options={TYPE_OPTIONS}
            onChange={(type) => change({ type })}
            className="w-40"
          />
        </div>
      </div>
      <Logs filters={filters} onPage={(page) => change({ page })} />
    </>
  );
}

/** A new entry makes what is shown stale; the table then reads again. */
function useLiveLogs() {
  const queryClient = useQueryClient();
  useEffect(() => subscribe('system-logs'), []);
  useLive((message) => {
    if (message.type === 'system-log') queryClient.invalidateQueries({ queryKey: [listLogs.path] });
  });
}

function Logs({ filters, onPage }: { filters: LogFilters; onPage: (page: number) => void }) {
  const { type, page } = filters;
  const logs = useQuery({
    ...endpointQuery(listLogs, { query: { page, limit: PAGE_SIZE, type: type === 'all' ? undefined : type } }),
    placeholderData: keepPreviousData,
  });

  if (logs.isPending) return <Loading>Loading logs...</Loading>;
  if (logs.isError) return <Alert tone="danger" title="Failed to load logs. Please try again." />;
  if (!logs.data) return null;
  if (logs.data.total === 0) {
    return <EmptyState icon={<ScrollText />} title="No logs found for the selected filters." />;
  }
  return (
    <>
      <LogTable logs={logs.data.logs} />
      <PageOf page={page} pageSize={PAGE_SIZE} total={logs.data.total} onPage={onPage} className="mt-4" />
    </>
  );
}
