import { X } from 'lucide-react';
import type { BulkRun } from '#contracts/bulk.ts';
import { progressPercent } from '#contracts/rules/format.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { explainShortfall, shortfallOf, titleOf } from './bulk-outcome.ts';
import { BulkReportDialog } from './bulk-report-dialog.tsx';
import {
  ACTION_LABELS,
  BULK_REPORT,
  canUndo,
  doneOf,
  hideBulkRun,
  showFailed,
  useBulkRun,
  useUndoBulk,
} from './bulk-runs.ts';

/** The progress of a run with Cancel, then its result with what was skipped and why. */
export function BulkProgress({ id }: { id: number }) {
  const run = useBulkRun(id);
  const { dialog, open, close } = useDialog([BULK_REPORT]);
  if (!run) return null;
  const isRunning = run.status === 'running';
  const text = isRunning
    ? [`${ACTION_LABELS[run.action]}: ${doneOf(run)}`, shortfallOf(run)].filter(Boolean).join(', ')
    : [titleOf(run), explainShortfall(run)].filter(Boolean).join('. ');
  return (
    <section
      aria-label="Bulk run"
      className="flex items-center justify-center gap-x-3 px-4 py-2 not-last:border-b not-last:border-line max-md:py-1 max-sm:flex-wrap max-sm:justify-end"
    >
      <p className="text-sm tabular-nums max-sm:grow max-sm:basis-40 max-sm:py-1">{text}</p>
      {isRunning && (
        <Progress label="Bulk run progress" percent={percentOf(run)} className="w-32 shrink-0 max-sm:hidden" />
      )}
      <p role="status" className="sr-only">
        {isRunning ? `${Math.floor(percentOf(run) / 10) * 10} percent complete` : text}
      </p>
      {isRunning ? <Cancel run={run} /> : <Ended run={run} onReport={() => open(BULK_REPORT, id)} />}
      {dialog === BULK_REPORT && <BulkReportDialog report={run} onClose={close} />}
    </section>
  );
}

const percentOf = ({ done, failed, skipped, total }: BulkRun) => progressPercent(done + failed + skipped, total);

function Cancel({ run }: { run: BulkRun }) {
  const cancel = useAction('POST /api/bulk/:id/cancel', {
    onError: ({ message }) => toast({ title: 'Cancel Failed', description: message, variant: 'destructive' }),
  });
  return (
    <Button
      size="sm"
      pending={cancel.isPending || run.cancelRequested}
      onClick={() => cancel.mutate({ params: { id: run.id } })}
    >
      Cancel
    </Button>
  );
}

function Ended({ run, onReport }: { run: BulkRun; onReport: () => void }) {
  const { undo, isPending } = useUndoBulk();
  return (
    <div className="flex items-center gap-1">
      {run.failed > 0 && (
        <Button size="sm" variant="ghost" onClick={showFailed}>
          Show
        </Button>
      )}
      {shortfallOf(run) && (
        <Button size="sm" variant="ghost" onClick={onReport}>
          Report
        </Button>
      )}
      {canUndo(run) && (
        <Button
          size="sm"
          variant="ghost"
          pending={isPending}
          onClick={() => {
            hideBulkRun();
            undo(run);
          }}
        >
          Undo
        </Button>
      )}
      <Button size="icon-sm" variant="ghost" aria-label="Dismiss" onClick={hideBulkRun}>
        <X aria-hidden />
      </Button>
    </div>
  );
}
