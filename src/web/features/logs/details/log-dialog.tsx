import type { LogEntry } from '#contracts/logs.ts';
import { RawJson } from '#web/features/logs/details/raw-json.tsx';
import { readRefreshLog } from '#web/features/logs/details/refresh-log.ts';
import { RefreshReport } from '#web/features/logs/details/refresh-report.tsx';
import { STATUS_TONES, typeLabel } from '#web/features/logs/log-types.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';

/** Everything about one entry. The end of a refresh is laid out for reading; all others show what was written, as JSON. */
export function LogDialog({ log, onClose }: { log: LogEntry; onClose: () => void }) {
  const refresh = readRefreshLog(log);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Log Details"
      size={refresh ? 'xl' : 'lg'}
      className="flex flex-col gap-6 pb-6"
    >
      <LogFacts log={log} />
      {refresh ? (
        <>
          <RefreshReport {...refresh} />
          <RawJson title="Raw Metadata" value={log.metadata} />
        </>
      ) : (
        <>
          <RawJson title="Details" value={log.details} />
          <RawJson title="Metadata" value={log.metadata} />
        </>
      )}
    </Dialog>
  );
}

const LogFacts = ({ log }: { log: LogEntry }) => (
  <Facts className="sm:grid-cols-3">
    <Fact name="Time">
      <time dateTime={log.createdAt}>{formatDateTime(log.createdAt)}</time>
    </Fact>
    <Fact name="ID">{log.id}</Fact>
    <Fact name="Type">{typeLabel(log.type)}</Fact>
    <Fact name="Action">
      <span className="font-mono text-sm">{log.action}</span>
    </Fact>
    <Fact name="Status">
      <Badge tone={STATUS_TONES[log.status]} className="capitalize">
        {log.status}
      </Badge>
    </Fact>
    <Fact name="Summary" className="col-span-full">
      {log.summary}
    </Fact>
  </Facts>
);
