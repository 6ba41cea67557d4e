import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { LogEntry } from '#contracts/logs.ts';
import { call } from '#web/lib/call.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useDialog, useLastKnown } from '#web/lib/use-dialog.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { useUrlFilters } from '#web/lib/use-url-filters.ts';
import { TabPanel, Tabs } from '#web/ui/layout/tabs.tsx';
import { LiveBanner, LiveIndicator } from './live-banner.tsx';
import { LogDialog } from './log-dialog.tsx';
import { LOG_FILTERS, type LogFilters, logListInput } from './log-filters.ts';
import { LogList } from './log-list.tsx';
import { type LogTab, tabOf } from './log-types.ts';
import { LogsToolbar } from './logs-toolbar.tsx';
import { useLiveLogs } from './use-live-logs.ts';

export function LogsPage() {
  useTitle('System Logs');
  const latest = useLiveLogs();
  const { filters, change, goTo, goToPage } = useUrlFilters(LOG_FILTERS);
  const logs = useLogs(filters);
  const { id, open, close } = useDialog(['log']);
  const opened = useOpenEntry(id, logs.data?.logs);
  const tab = tabOf(filters.type);
  const openTab = (next: LogTab) => {
    // A click selects a tab twice, on pointer down and on focus: add one history entry only.
    const { type } = LOG_FILTERS.read(new URLSearchParams(location.search));
    if (tabOf(type) !== next) goTo({ type: next });
  };

  return (
    <>
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h1 className="text-xl font-semibold tracking-tight sm:text-2xl">System Logs</h1>
        <LiveIndicator />
      </div>
      <LiveBanner entry={latest} />
      <Tabs value={tab} onValueChange={(next) => openTab(next as LogTab)}>
        <LogsToolbar filters={filters} onChange={change} />
        <TabPanel value={tab}>
          <LogList
            query={logs}
            filters={filters}
            newest={latest?.id ?? null}
            onOpen={(log) => open('log', log.id)}
            onPage={goToPage}
          />
        </TabPanel>
      </Tabs>
      {opened && <LogDialog log={opened} onClose={close} />}
    </>
  );
}

/**
 * A page of log entries. Refetched on mount: new entries are only received while the page is open.
 */
function useLogs(filters: LogFilters) {
  const input = logListInput(filters);
  return useQuery({
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

/** The entry of the open dialog. An entry that is not on the page, as in a link, is fetched. */
function useOpenEntry(id: string | null, page: readonly LogEntry[] | undefined): LogEntry | null {
  const listed = useLastKnown(page, id);
  const { data } = useQuery({
    ...endpointQuery('/api/logs/:id', { params: { id: Number(id) } }),
    enabled: id !== null && page !== undefined && !listed,
    retry: false,
  });
  return listed ?? data ?? null;
}
