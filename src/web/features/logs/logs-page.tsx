import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LogEntry } from '#contracts/logs.ts';
import { LogDialog } from '#web/features/logs/details/log-dialog.tsx';
import { LiveBanner } from '#web/features/logs/live-banner.tsx';
import { LiveIndicator } from '#web/features/logs/live-indicator.tsx';
import { LogList } from '#web/features/logs/log-list.tsx';
import { type LogTab, tabOf } from '#web/features/logs/log-types.ts';
import { logsQuery } from '#web/features/logs/logs-query.ts';
import { LogsToolbar } from '#web/features/logs/logs-toolbar.tsx';
import { useLiveLogs } from '#web/features/logs/use-live-logs.ts';
import { useLogParams } from '#web/features/logs/use-log-params.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { TabPanel, Tabs } from '#web/ui/tabs.tsx';

export function LogsPage() {
  useTitle('System Logs');
  const latest = useLiveLogs();
  const { filters, change, openTab, turnTo } = useLogParams();
  const logs = useQuery(logsQuery(filters));
  const [opened, setOpened] = useState<LogEntry | null>(null);
  const tab = tabOf(filters.type);

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
            onOpen={setOpened}
            onPage={(page) => {
              turnTo(page);
              window.scrollTo({ top: 0 });
            }}
          />
        </TabPanel>
      </Tabs>
      {opened && <LogDialog log={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
