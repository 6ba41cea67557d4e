import type { LogEntry } from '#contracts/logs.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Fact, Facts } from '#web/ui/layout/facts.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { RawJson } from './details-section.tsx';
import { STATUS_TONES, typeLabel } from './log-types.ts';
import { readRefreshLog } from './refresh-log.ts';
import { RefreshReport } from './refresh-report.tsx';

/** All details of one entry. A finished refresh is shown as a report, any other entry as JSON. */
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
