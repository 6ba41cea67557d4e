import { useId } from 'react';
import type { LogEntry } from '#contracts/logs.ts';
import { cn } from '#web/lib/cn.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { describeActor, STATUS_TONES, typeLabel } from './log-types.ts';

/** Fixed widths, so that columns do not move between pages or with new entries. */
const COLUMNS = [
  { name: 'Time', className: 'w-52' },
  { name: 'Type', className: 'w-30' },
  { name: 'Action', className: 'w-44' },
  { name: 'Status', className: 'w-22' },
  { name: 'Summary', className: '' },
  { name: 'Actions', className: 'w-24' },
];

interface Props {
  logs: readonly LogEntry[];
  newest: number | null;
  onOpen: (log: LogEntry) => void;
}

/** Below the `lg` width each entry is stacked: status, type, action and time, then the summary. */
export const LogTable = ({ logs, newest, onOpen }: Props) => (
  <Card className="overflow-hidden">
    <table aria-label="Log entries" className="w-full table-fixed border-collapse text-left text-sm max-lg:block">
      <thead className="max-lg:sr-only">
        <tr className="border-b border-line">
          {COLUMNS.map(({ name, className }) => (
            <th key={name} scope="col" className={cn('px-3 py-2.5 font-medium first:pl-4 text-faint', className)}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-lg:block">
        {logs.map((log) => (
          <LogRow key={log.id} log={log} isNew={log.id === newest} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  </Card>
);

const CELL = 'lg:px-3 lg:py-2 lg:first:pl-4';

function LogRow({ log, isNew, onOpen }: { log: LogEntry; isNew: boolean; onOpen: Props['onOpen'] }) {
  const summary = useId();
  return (
    <tr
      data-new={isNew || undefined}
      className={cn(
        'border-b border-line transition-colors duration-300 last:border-0 hover:bg-hover/50',
        'max-lg:items-center max-lg:gap-x-2.5 max-lg:gap-y-1.5 max-lg:px-4 max-lg:py-3',
        'max-sm:flex max-sm:flex-wrap sm:max-lg:grid sm:max-lg:grid-cols-[auto_auto_1fr_auto]',
        isNew && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      <td
        className={cn(
          CELL,
          'whitespace-nowrap text-muted max-sm:order-5 max-sm:grow sm:max-lg:order-4 sm:max-lg:text-right',
        )}
      >
        <time dateTime={log.createdAt}>{formatDateTime(log.createdAt)}</time>
      </td>
      <td className={cn(CELL, 'max-lg:order-2')}>{typeLabel(log.type)}</td>
      <td
        title={log.action}
        className={cn(
          CELL,
          'truncate font-mono text-xs leading-5 text-muted max-lg:order-3 max-lg:min-w-0 max-lg:flex-1',
        )}
      >
        {log.action}
      </td>
      <td className={cn(CELL, 'max-lg:order-1')}>
        <Badge tone={STATUS_TONES[log.status]} className="capitalize">
          {log.status}
        </Badge>
      </td>
      <td
        id={summary}
        className={cn(
          CELL,
          'max-sm:order-4 max-sm:basis-full sm:max-lg:order-5 sm:max-lg:col-span-3 sm:max-lg:self-start',
        )}
      >
        <span title={log.summary} className="line-clamp-3 wrap-anywhere sm:line-clamp-2">
          {log.summary}
        </span>
        {log.actor && <span className="block truncate text-xs text-faint">{describeActor(log.actor)}</span>}
      </td>
      <td className={cn(CELL, 'max-lg:order-6 sm:max-lg:justify-self-end')}>
        <Button size="sm" aria-describedby={summary} onClick={() => onOpen(log)}>
          Details
        </Button>
      </td>
    </tr>
  );
}
