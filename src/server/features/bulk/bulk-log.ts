import type { BulkAction } from '#contracts/bulk.ts';
import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { plural, shortTitle } from '#server/events/log-texts.ts';

/** `done` precedes the number of interviews, `name` is the name of the action. */
const VERBS: Record<BulkAction, { done: string; name: string }> = {
  convert: { done: 'Started converting', name: 'Convert' },
  transcribe: { done: 'Started transcribing', name: 'Transcribe' },
  summarize: { done: 'Started summarizing', name: 'Summarize' },
  process: { done: 'Started processing', name: 'Process' },
  retry: { done: 'Retried the failed steps of', name: 'Retry' },
  setDestination: { done: 'Set the destination of', name: 'Set Destination' },
  undoDestination: { done: 'Restored the former destination of', name: 'Undo Set Destination' },
  sendToAts: { done: 'Started sending to the ATS:', name: 'Send to the ATS' },
  archive: { done: 'Archived', name: 'Archive' },
  unarchive: { done: 'Unarchived', name: 'Unarchive' },
};

/** The entry of one transaction of a run: it lists every interview that was changed. */
export function batchEntry({
  bulkRunId,
  action,
  destinationId,
  interviews,
}: EventData<'bulk-run.applied'>): NewLogEntry {
  const suffix = action === 'setDestination' && destinationId ? ` to ${destinationId}` : '';
  return {
    action: 'bulk-run',
    status: 'info',
    summary: `${VERBS[action].done} ${plural(interviews.length, 'interview')}${suffix}.`,
    details: {
      ...(destinationId && { destinationId }),
      interviews: interviews.map(({ interviewId, title, steps, former }) => ({
        interviewId,
        title: shortTitle(title),
        ...(steps.length > 0 && { steps }),
        ...(former?.destinationId && { former }),
      })),
    },
    metadata: { bulkRunId, action },
  };
}

export const cancelEntry = ({ bulkRunId, action, total }: EventData<'bulk-run.cancel-requested'>): NewLogEntry => ({
  action: 'cancel-bulk-run',
  status: 'info',
  summary: `Requested to cancel ${VERBS[action].name} of ${plural(total, 'interview')}.`,
  metadata: { bulkRunId },
});

/** The entry of a run that has ended. */
export function endEntry({ report, status, error, ...run }: EventData<'bulk-run.ended'>): NewLogEntry | null {
  if (report === null) return null;
  const hasFailed = status === 'failed' || run.failed > 0;
  const counts = [`${run.done} of ${plural(run.total, 'interview')} done`];
  if (run.failed > 0) counts.push(`${run.failed} failed`);
  if (run.skipped > 0) counts.push(`${run.skipped} skipped`);
  const end = status === 'canceled' ? ' Canceled.' : error ? ` ${error}` : '';
  return {
    action: 'bulk-run',
    status: hasFailed ? 'error' : status === 'canceled' || run.skipped > 0 ? 'warning' : 'success',
    summary: `${VERBS[run.action].name}: ${counts.join(', ')}.${end}`,
    details: report,
    metadata: run,
  };
}
