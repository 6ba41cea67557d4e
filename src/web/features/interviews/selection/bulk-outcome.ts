import type { BulkAction, BulkReport, BulkRun } from '#contracts/bulk.ts';
import { formatCount, formatNumber } from '#web/lib/format.ts';
import type { ToastContent } from '#web/lib/toast.ts';

function lookOf({ done, failed, status }: BulkRun): 'destructive' | 'warning' | 'default' {
  if (failed > 0 || status === 'failed') return 'destructive';
  return status === 'canceled' || done === 0 ? 'warning' : 'default';
}

const OUTCOMES: Record<Exclude<BulkAction, 'setDestination' | 'undoDestination'>, string> = {
  convert: 'converted',
  transcribe: 'transcribed',
  summarize: 'summarized',
  process: 'processed',
  retry: 'recovered',
  sendToAts: 'sent to the ATS',
  archive: 'archived',
  unarchive: 'restored',
};

/** `1 failed, 2 skipped`; empty when everything is done. */
export const shortfallOf = ({ failed, skipped }: BulkRun): string =>
  [failed > 0 && `${formatNumber(failed)} failed`, skipped > 0 && `${formatNumber(skipped)} skipped`]
    .filter(Boolean)
    .join(', ');

/** `10 interviews processed`, `9 of 10 processed` */
export function titleOf({ action, done, failed, total }: BulkRun): string {
  if (action === 'setDestination' && done === 0) return 'No destination set';
  if (action === 'setDestination') return `Destination set for ${formatCount(done, 'interview')}`;
  if (action === 'undoDestination') return `Destination restored for ${formatCount(done, 'interview')}`;
  if (action === 'archive' && done > 0)
    return done === 1 ? 'Interview Archived' : `${formatNumber(done)} Interviews Archived`;
  if (action === 'unarchive' && done > 0)
    return done === 1 ? 'Interview Restored' : `${formatCount(done, 'Interview')} Restored`;
  if (action === 'retry' && done === 0 && failed > 0) return 'Still failing';
  const what = done === total ? formatCount(done, 'interview') : `${formatNumber(done)} of ${formatNumber(total)}`;
  return `${what} ${OUTCOMES[action]}`;
}

/** `1 skipped: No video`. The reasons of a report are left out when there are several. */
export function explainShortfall(run: BulkRun | BulkReport): string {
  const shortfall = shortfallOf(run);
  const [only, ...others] = 'reasons' in run ? run.reasons : [];
  if (!only || others.length > 0 || only.count !== run.failed + run.skipped) return shortfall;
  const reason = only.reason.replace(/\.$/, '');
  return run.failed > 0 && run.done === 0 ? reason : `${shortfall}: ${reason}`;
}

/** The toast for the whole run, without its action. */
export function describeEnd(run: BulkRun | BulkReport): Pick<ToastContent, 'title' | 'description' | 'variant'> {
  const end = run.status === 'canceled' ? 'Canceled.' : (run.error ?? '');
  const where =
    run.action === 'archive' && run.done > 0 ? `You'll find ${run.done === 1 ? 'it' : 'them'} under Archived.` : '';
  return {
    title: titleOf(run),
    description: [explainShortfall(run), where, end].filter(Boolean).join('. ') || undefined,
    variant: lookOf(run),
  };
}
