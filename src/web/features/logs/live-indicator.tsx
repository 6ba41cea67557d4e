import { cn } from '#web/lib/cn.ts';
import { useLiveConnected } from '#web/lib/live.ts';

export function LiveIndicator() {
  const connected = useLiveConnected();
  return (
    <p role="status" className="flex items-center gap-2 text-sm text-muted">
      <span aria-hidden className={cn('size-2 rounded-full', connected ? 'bg-success' : 'bg-control')} />
      {connected ? 'Real-time updates' : 'Disconnected'}
    </p>
  );
}
