import type { LogEntry, LogStatus } from '#contracts/logs.ts';
import { TYPE_OPTIONS } from '#web/features/logs/log-filters.ts';
import { cn } from '#web/lib/cn.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';

/** On a phone the two middle columns give their place to the summary. */
const COLUMNS = [
  { name: 'Time' },
  { name: 'Type', className: 'max-sm:hidden' },
  { name: 'Action', className: 'max-sm:hidden' },
  { name: 'Status' },
  { name: 'Summary' },
];
const TONES = { success: 'success', error: 'danger', warning: 'warning', info: 'info' } as const satisfies Record<
  LogStatus,
  string
>;

export function LogTable({ logs }: { logs: readonly LogEntry[] }) {
  return (
    <Card className="overflow-x-auto" tabIndex={0} role="region" aria-label="Log entries">
      <table className="w-full sm:min-w-4xl border-collapse text-left text-sm">
        <thead>
          <tr className="border-b border-line">
            {COLUMNS.map(({ name, className }) => (
              <th
                key={name}
                scope="col"
                className={cn('px-4 py-2.5 font-medium whitespace-nowrap text-faint', className)}
              >
                {name}
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
      <td className="px-4 py-2.5 text-muted sm:whitespace-nowrap">{formatDateTime(log.createdAt)}</td>
      <td className="px-4 py-2.5 whitespace-nowrap max-sm:hidden">
        {TYPE_OPTIONS.find(({ value }) => value === log.type)?.label ?? log.type}
      </td>
      <td className="px-4 py-2.5 font-mono text-xs whitespace-nowrap text-muted max-sm:hidden">{log.action}</td>
      <td className="px-4 py-2">
        <Badge tone={TONES[log.status]}>{log.status}</Badge>
      </td>
      <td className="w-full px-4 py-2.5 break-words">{log.summary}</td>
    </tr>
  );
}
