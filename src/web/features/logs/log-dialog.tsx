import { useQuery } from '@tanstack/react-query';
import type { Actor, LogEntry } from '#contracts/logs.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Fact, Facts } from '#web/ui/layout/facts.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { DetailsSection, RawJson } from './details-section.tsx';
import { STATUS_TONES, typeLabel } from './log-types.ts';
import { LoggedInterview } from './logged-interview.tsx';
import { readRefreshLog } from './refresh-log.ts';
import { RefreshReport } from './refresh-report.tsx';

/** All details of one entry. A finished refresh is shown as a report, any other entry as JSON. */
export const LogDialog = ({ log, onClose }: { log: LogEntry; onClose: () => void }) => (
  <Dialog
    onClose={onClose}
    title="Log Details"
    size={log.action === 'sync-interviews' ? 'xl' : 'lg'}
    className="flex flex-col gap-6 pb-6"
  >
    <LogFacts log={log} />
    <LoggedInterview log={log} />
    {log.actor && <Who actor={log.actor} />}
    {log.isShortened ? <LoadedContent id={log.id} /> : <Content log={log} />}
  </Dialog>
);

/** Lists leave large details out. */
function LoadedContent({ id }: { id: number }) {
  const entry = useQuery(endpointQuery('/api/logs/:id', { params: { id } }));
  if (entry.data) return <Content log={entry.data} />;
  if (!entry.isError) return <Loading>Loading details...</Loading>;
  return (
    <LoadError title="Couldn't load the details. Try again." query={entry}>
      {null}
    </LoadError>
  );
}

function Content({ log }: { log: LogEntry }) {
  const refresh = readRefreshLog(log);
  if (refresh)
    return (
      <>
        <RefreshReport {...refresh} />
        <RawJson title="Raw Metadata" value={log.metadata} />
      </>
    );
  return (
    <>
      <RawJson title="Details" value={log.details} />
      <RawJson title="Metadata" value={log.metadata} />
    </>
  );
}

const NO_ACCOUNT = { anonymous: 'Not signed in', system: 'The server', automation: 'Automatic' };

function accountOf({ kind, name, accountId }: Pick<Actor, 'kind' | 'name' | 'accountId'>): string {
  if (kind === 'account' || kind === 'command') return `${name} (ID ${accountId})`;
  return kind === 'automation' && name !== null ? `Set up by ${name} (ID ${accountId})` : NO_ACCOUNT[kind];
}

const Who = ({ actor: { kind, accountId, name, address, requestId } }: { actor: Actor }) => (
  <DetailsSection title="Who">
    <Facts className="sm:grid-cols-3">
      {kind === 'command' ? (
        <Fact name="Command line user">{name}</Fact>
      ) : (
        <Fact name="Account">{accountOf({ kind, name, accountId })}</Fact>
      )}
      <Fact name="Address">{address}</Fact>
      <Fact name="Request ID">{requestId && <span className="font-mono text-xs">{requestId}</span>}</Fact>
    </Facts>
  </DetailsSection>
);

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
