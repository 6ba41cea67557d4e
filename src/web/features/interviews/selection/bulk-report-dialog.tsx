import { Link } from 'wouter';
import type { BulkReport } from '#contracts/bulk.ts';
import { formatCount, formatNumber } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/use-dialog.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { shortfallOf } from './bulk-outcome.ts';
import { ACTION_LABELS, doneOf } from './bulk-runs.ts';
import { useStartBulk } from './use-start-bulk.tsx';

/** Lists the skipped and failed interviews of a run, with the reasons. */
export function BulkReportDialog({ report, onClose }: { report: BulkReport; onClose: () => void }) {
  const { start, isPending, question } = useStartBulk({ onStarted: onClose });
  const unlisted = report.failed + report.skipped - report.items.length;
  const failed = report.items.filter(({ outcome }) => outcome === 'failed').map(({ interviewId }) => interviewId);
  return (
    <Dialog
      onClose={onClose}
      title={`${ACTION_LABELS[report.action]}: ${doneOf(report)}`}
      description={shortfallOf(report) || 'Everything is done.'}
      readable
      footer={
        failed.length > 0 && (
          <Button pending={isPending} onClick={() => start({ action: 'retry', target: { ids: failed } })}>
            Retry {formatCount(failed.length, 'interview')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-5">
        {report.reasons.map(({ outcome, reason, count }) => (
          <section key={`${outcome} ${reason}`}>
            <h3 className="text-sm font-medium">
              {/* The number of a single reason is in the description above. */}
              {report.reasons.length > 1 && `${formatNumber(count)} ${outcome}: `}
              {reason}
            </h3>
            <ul className="mt-1 text-sm">
              {report.items
                .filter((item) => item.outcome === outcome && item.reason === reason)
                .map(({ interviewId, title }) => (
                  <li key={interviewId} className="truncate">
                    <Link
                      href={`/?interview=${encodeURIComponent(interviewId)}`}
                      className="text-accent-ink underline underline-offset-4 max-md:inline-block max-md:py-2"
                      onClick={(event) => {
                        // Above the list as it is: the URL alone would drop its filters.
                        event.preventDefault();
                        openDialog({ name: 'video', id: interviewId });
                      }}
                    >
                      {title}
                    </Link>
                  </li>
                ))}
            </ul>
          </section>
        ))}
        {unlisted > 0 && <p className="text-sm text-faint">And {formatNumber(unlisted)} more.</p>}
      </div>
      {question}
    </Dialog>
  );
}
