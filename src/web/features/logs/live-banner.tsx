import type { LogEntry, LogStatus } from '#contracts/logs.ts';
import { typeLabel } from '#web/features/logs/log-types.ts';
import { cn } from '#web/lib/cn.ts';

const TINTS: Record<LogStatus, string> = {
  success: 'bg-success-soft text-success-ink',
  error: 'bg-danger-soft text-danger-ink',
  warning: 'bg-warning-soft text-warning-ink',
  info: 'bg-info-soft text-info-ink',
};

/** The entry that has just come in. Its place is always kept, so that nothing moves when it comes and goes. */
export function LiveBanner({ entry }: { entry: LogEntry | null }) {
  return (
    <div className="relative mb-3 h-14 sm:h-10">
      {!entry && <p className="text-muted">What the application did, newest first. New entries show here.</p>}
      <div role="status" className="absolute inset-0 empty:hidden">
        {entry && (
          <p
            key={entry.id}
            className={cn(
              'flex h-full animate-fade-in flex-col justify-center gap-x-3 rounded-lg px-3.5 text-sm sm:flex-row sm:items-center sm:justify-start',
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
