import { CircleAlert, RefreshCw, X } from 'lucide-react';
import { Link } from 'wouter';
import { progressPercent } from '#contracts/rules/format.ts';
import type { RefreshStatus } from '#contracts/sync.ts';
import { cn } from '#web/lib/cn.ts';
import { useMay } from '#web/lib/may.ts';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { useDismissRefreshError, useStartRefresh } from './refresh-actions.ts';

/** The progress of the running refresh, or the error of the last one. */
export function RefreshStrip({ status }: { status: RefreshStatus }) {
  if (status.inProgress) return <RefreshProgress status={status} />;
  return status.error ? <RefreshError status={status} error={status.error} /> : null;
}

function RefreshProgress({ status }: { status: RefreshStatus }) {
  const percent = percentOf(status);
  return (
    <div className="flex h-full items-center gap-3">
      <RefreshCw aria-hidden className="size-4 shrink-0 animate-spin text-muted @max-[19rem]:hidden" />
      <div className="min-w-0 grow">
        <div className="flex items-baseline gap-3 text-sm leading-4.5 whitespace-nowrap">
          <p className="min-w-54 shrink-0 font-medium @max-[22rem]:min-w-0">{`Refresh in Progress - ${percent}%`}</p>
          <p className="truncate text-xs text-muted">
            {status.queue && `Job ${status.queue.position} of ${status.queue.total} · `}
            {status.current || 'Processing interviews...'}
          </p>
        </div>
        <Counters status={status} />
        <Progress label="Refresh progress" percent={percent} className="mt-0.5 h-1" />
      </div>
      <p role="status" className="sr-only">
        Refresh {Math.floor(percent / SPOKEN_PERCENT) * SPOKEN_PERCENT} percent complete
      </p>
    </div>
  );
}

/** The progress of all jobs while several are refreshed. */
function percentOf({ processed, total, queue }: RefreshStatus): number {
  const percent = progressPercent(processed, total);
  return queue ? Math.floor((100 * (queue.position - 1) + percent) / queue.total) : percent;
}

/** Progress is announced in these steps: a screen reader could not finish more messages. */
const SPOKEN_PERCENT = 10;

function RefreshError({ status, error }: { status: RefreshStatus; error: string }) {
  const dismiss = useDismissRefreshError();
  const mayRefresh = useMay()('GET /api/interviews/sync');
  return (
    <div role="alert" className="bordered flex h-full items-center gap-2 rounded-md bg-danger-soft px-2.5">
      <CircleAlert aria-hidden className="size-4 shrink-0 text-danger-ink @max-[19rem]:hidden" />
      <Popover
        label="Refresh Error"
        className="w-96 max-w-[calc(100vw-1rem)] p-4"
        trigger={
          <button
            type="button"
            title={error}
            className="min-w-0 grow rounded-md text-left text-xs leading-4 forced-colors:border-0!"
          >
            <span className="block truncate text-danger-ink">
              <span className="mr-2 font-medium">Refresh Error</span>
              {error}
            </span>
            <Counters status={status} />
          </button>
        }
      >
        <p className="break-words">{error}</p>
        <Progress
          label="Refresh progress"
          percent={progressPercent(status.processed, status.total)}
          className="mt-3 mb-2 [&>div]:bg-danger"
        />
        <Counters status={status} />
        {mayRefresh && <Remedies status={status} className="mt-3" />}
      </Popover>
      {mayRefresh && (
        <>
          <Remedies status={status} className="max-md:[&>button]:min-h-8 @max-[36rem]:hidden" />
          <Button
            size="icon-sm"
            variant="ghost"
            aria-label="Dismiss"
            title="Dismiss"
            className="touch-beyond relative"
            onClick={() => dismiss.mutate({})}
          >
            <X aria-hidden />
          </Button>
        </>
      )}
    </div>
  );
}

/** Retries the refresh, and links to the funnel, whose key or id may be wrong. */
function Remedies({ status, className }: { status: RefreshStatus; className: string }) {
  const retry = useStartRefresh({ onDone: () => {} });
  const { timeframe, funnelId } = status;
  return (
    <div className={cn('flex shrink-0 gap-2', className)}>
      {funnelId !== null && (
        <Button variant="ghost" size="sm" asChild>
          <Link href={`/funnels?dialog=edit-funnel&id=${funnelId}`}>Edit Funnel</Link>
        </Button>
      )}
      <Button
        size="sm"
        className="touch-beyond relative"
        pending={retry.isPending}
        onClick={() => retry.mutate({ query: { timeframe: timeframe ?? 'all' } })}
      >
        Retry
      </Button>
    </div>
  );
}

/** The width is reserved, so that growing numbers move nothing. Narrow strips hide "interviews". */
const Counters = ({ status }: { status: RefreshStatus }) => (
  <span className="flex gap-3 overflow-hidden text-xs leading-4 whitespace-nowrap text-muted tabular-nums">
    <span className="relative min-w-0 grow basis-36 truncate @min-[28rem]:min-w-54 @min-[28rem]:grow-0 @min-[28rem]:basis-auto">
      {`Processed: ${status.processed} of ${status.total}`}
      <span className="@max-[19rem]:sr-only"> interviews</span>
    </span>
    <span className="shrink-0">{`Files: ${status.downloadedFiles} of ${status.totalFiles}`}</span>
  </span>
);
