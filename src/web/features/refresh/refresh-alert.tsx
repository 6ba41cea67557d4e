import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { useRefreshStatus } from './refresh-status.ts';
import { useArrivingInterviews } from './use-arriving-interviews.ts';

const RefreshStrip = lazyPart(() => import('./refresh-strip.tsx').then((m) => m.RefreshStrip));

interface Props {
  className?: string;
  /** Shown while there is neither progress nor an error. */
  children?: ReactNode;
}

/**
 * The progress of the running refresh, or the error of the last one. The strip has the same height
 * when it is empty, so that the list below does not move.
 */
export function RefreshAlert({ className, children }: Props) {
  const status = useRefreshStatus();
  useArrivingInterviews(status);
  const shown = status?.inProgress || status?.error ? status : null;
  // Two elements: where the heading makes room, a single one would move.
  return (
    <div
      key={shown ? 'busy' : 'idle'}
      data-busy={shown ? '' : undefined}
      className={cn('@container h-9 min-w-0', className)}
    >
      {shown ? <RefreshStrip status={shown} /> : <div className="flex h-full items-center">{children}</div>}
    </div>
  );
}
