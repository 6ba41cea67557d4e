import type { LogEntry, LogStatus } from '#contracts/logs.ts';
import { cn } from '#web/lib/cn.ts';
import { useLiveConnected } from '#web/lib/live.ts';
import { typeLabel } from './log-types.ts';

const TINTS: Record<LogStatus, string> = {
  success: 'bg-success-soft text-success-ink',
  error: 'bg-danger-soft text-danger-ink',
  warning: 'bg-warning-soft text-warning-ink',
  info: 'bg-info-soft text-info-ink',
};

/**
 * The newest entry. Its space is reserved, so that nothing moves when it appears and disappears. On
 * phones it covers the title of the page instead.
 */
export function LiveBanner({ entry }: { entry: LogEntry | null }) {
  return (
    <div className="relative mb-3 h-6 sm:h-10">
      {!entry && <p className="text-muted">Everything that happened, newest first.</p>}
      <div role="status" className="absolute inset-0 empty:hidden max-sm:-top-7">
        {entry && (
          <p
            key={entry.id}
            className={cn(
              'bordered flex h-full animate-fade-in flex-col justify-center gap-x-3 rounded-lg px-3.5 text-sm sm:flex-row sm:items-center sm:justify-start',
              TINTS[entry.status],
            )}
          >
            <span className="flex min-w-0 items-baseline gap-2 sm:shrink-0">
              <strong className="font-semibold">{typeLabel(entry.type)}</strong>
              <span className="truncate font-mono text-xs">{entry.action}</span>
            </span>
            <span className="truncate">{entry.summary}</span>
          </p>
        )}
      </div>
    </div>
  );
}

export function LiveIndicator() {
  const connected = useLiveConnected();
  return (
    <p role="status" className="flex items-center gap-2 text-sm text-muted">
      <span aria-hidden className={cn('keep-color size-2 rounded-full', connected ? 'bg-success' : 'bg-control')} />
      {connected ? 'Real-time updates' : 'Disconnected'}
    </p>
  );
}
