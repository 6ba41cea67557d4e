import type { BulkReport } from '#contracts/bulk.ts';
import { formatNumber } from '#web/lib/format.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { ACTION_LABELS, doneOf, shortfallOf } from './bulk-runs.ts';

/** Lists the skipped and failed interviews of a run, with the reasons. */
export function BulkReportDialog({ report, onClose }: { report: BulkReport; onClose: () => void }) {
  const unlisted = report.failed + report.skipped - report.items.length;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`${ACTION_LABELS[report.action]}: ${doneOf(report)}`}
      description={shortfallOf(report) || 'Everything is done.'}
      readable
    >
      <div className="flex flex-col gap-5">
        {report.reasons.map(({ outcome, reason, count }) => (
          <section key={`${outcome} ${reason}`}>
            <h3 className="text-sm font-medium">
              {formatNumber(count)} {outcome}: {reason}
            </h3>
            <ul className="mt-1 text-sm text-muted">
              {report.items
                .filter((item) => item.outcome === outcome && item.reason === reason)
                .map(({ interviewId, title }) => (
                  <li key={interviewId} className="truncate">
                    {title}
                  </li>
                ))}
            </ul>
          </section>
        ))}
        {unlisted > 0 && <p className="text-sm text-faint">And {formatNumber(unlisted)} more.</p>}
      </div>
    </Dialog>
  );
}
