import type { LogEntry, LogStatus } from '#contracts/logs.ts';
import { TYPE_OPTIONS } from '#web/features/logs/log-filters.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';

const COLUMNS = ['Time', 'Type', 'Action', 'Status', 'Summary'];
const TONES = { success: 'success', error: 'danger', warning: 'warning', info: 'info' } as const satisfies Record<
  LogStatus,
  string
>;

export function LogTable({ logs }: { logs: readonly LogEntry[] }) {
  return (
    <Card className="overflow-x-auto" tabIndex={0} role="region" aria-label="Log entries">
      <table className="w-full min-w-4xl border-collapse text-left text-sm">
        <thead>
          <tr className="border-b border-line">
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className="px-4 py-2.5 font-medium whitespace-nowrap text-faint">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {logs.map((log) => (
            <LogRow key={log.id} log={log} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function LogRow({ log }: { log: LogEntry }) {
  return (
    <tr className="border-b border-line align-top last:border-0 hover:bg-hover/50">
      <td className="px-4 py-2.5 whitespace-nowrap text-muted">{formatDateTime(log.createdAt)}</td>
      <td className="px-4 py-2.5 whitespace-nowrap">
        {TYPE_OPTIONS.find(({ value }) => value === log.type)?.label ?? log.type}
      </td>
      <td className="px-4 py-2.5 font-mono text-xs whitespace-nowrap text-muted">{log.action}</td>
      <td className="px-4 py-2">
        <Badge tone={TONES[log.status]}>{log.status}</Badge>
      </td>
      <td className="w-full px-4 py-2.5 break-words">{log.summary}</td>
    </tr>
  );
}
