import type { BulkAction } from '#contracts/bulk.ts';
import { shortTitle } from '#server/features/interviews/interviews.service.ts';
import type { NewLogEntry } from '#server/features/logs/logs.service.ts';
import type { ReasonCount, ReportedItem } from './bulk-items.repo.ts';
import type { BulkRunRow, DecidedItem } from './bulk-runs.repo.ts';

/** `done` precedes the number of interviews, `name` is the name of the action. */
const VERBS: Record<BulkAction, { done: string; name: string }> = {
  convert: { done: 'Started converting', name: 'Convert' },
  transcribe: { done: 'Started transcribing', name: 'Transcribe' },
  summarize: { done: 'Started summarizing', name: 'Summarize' },
  process: { done: 'Started processing', name: 'Process' },
  retry: { done: 'Retried the failed steps of', name: 'Retry' },
  setDestination: { done: 'Set the destination of', name: 'Set Destination' },
  undoDestination: { done: 'Restored the former destination of', name: 'Undo Set Destination' },
  archive: { done: 'Archived', name: 'Archive' },
  unarchive: { done: 'Unarchived', name: 'Unarchive' },
};

const interviews = (n: number) => `${n} interview${n === 1 ? '' : 's'}`;
const actionOf = (run: BulkRunRow) => run.action as BulkAction;

/**
 * The entry of one transaction of a run: it lists every interview that was changed, with the
 * destination that was replaced.
 */
export function batchEntry(run: BulkRunRow, changed: readonly DecidedItem[]): NewLogEntry {
  return {
    type: 'system',
    action: 'bulk-run',
    status: 'info',
    summary: `${VERBS[actionOf(run)].done} ${interviews(changed.length)}${suffixOf(run)}.`,
    details: {
      ...(run.destination_id && { destinationId: run.destination_id }),
      interviews: changed.map(({ interviewId, title, steps, former }) => ({
        interviewId,
        title: shortTitle(title),
        ...(steps.length > 0 && { steps }),
        ...(former?.destinationId && { former: { destinationId: former.destinationId, notes: former.notes } }),
      })),
    },
    metadata: { bulkRunId: run.id, action: run.action },
  };
}

const suffixOf = (run: BulkRunRow) =>
  run.action === 'setDestination' && run.destination_id ? ` to ${run.destination_id}` : '';

export const cancelEntry = (run: BulkRunRow): NewLogEntry => ({
  type: 'system',
  action: 'cancel-bulk-run',
  status: 'info',
  summary: `Requested to cancel ${VERBS[actionOf(run)].name} of ${interviews(run.total)}.`,
  metadata: { bulkRunId: run.id },
});

interface Report {
  reasons: readonly ReasonCount[];
  items: readonly ReportedItem[];
}

/** The entry of a run that has ended. */
export function endEntry(run: BulkRunRow, { reasons, items }: Report): NewLogEntry {
  const hasFailed = run.status === 'failed' || run.failed_count > 0;
  const counts = [`${run.done_count} of ${interviews(run.total)} done`];
  if (run.failed_count > 0) counts.push(`${run.failed_count} failed`);
  if (run.skipped_count > 0) counts.push(`${run.skipped_count} skipped`);
  const end = run.status === 'canceled' ? ' Canceled.' : run.error ? ` ${run.error}` : '';
  return {
    type: hasFailed ? 'error' : 'system',
    action: 'bulk-run',
    status: hasFailed ? 'error' : run.status === 'canceled' || run.skipped_count > 0 ? 'warning' : 'success',
    summary: `${VERBS[actionOf(run)].name}: ${counts.join(', ')}.${end}`,
    details: { reasons, interviews: items },
    metadata: {
      bulkRunId: run.id,
      action: run.action,
      total: run.total,
      done: run.done_count,
      failed: run.failed_count,
      skipped: run.skipped_count,
    },
  };
}
