import type { Funnel } from '#contracts/funnels.ts';
import type { RefreshLogDetails, RefreshLogMetadata } from '#contracts/logs.ts';
import type { Executor } from '../../db/database.ts';
import type { NewLogEntry } from '../logs/logs.service.ts';
import type { RunRow } from './sync.view.ts';
import { readRecords } from './sync-records.repo.ts';

/** Interviews that a log entry lists at most, so that an entry stays readable and small. */
const LISTED = 500;

/** The log entry of a run that has ended: what it changed, skipped and could not fetch. */
export async function refreshLogEntry(
  tx: Executor,
  run: RunRow,
  funnel: Pick<Funnel, 'id' | 'name' | 'funnelId' | 'clientName'>,
): Promise<NewLogEntry> {
  const { skipped, changes, failures } = await readRecords(tx, run.id, LISTED);
  // A map: the service's ids are any text, `constructor` included.
  const changed = new Map<string, RefreshLogDetails['detailedChanges'][string]>();
  for (const { interview_id: id, title, field, old_value: oldValue, new_value: newValue } of changes) {
    const entry = changed.get(id) ?? { title, fields: {} };
    entry.fields[field] = { oldValue, newValue };
    changed.set(id, entry);
  }
  const details: RefreshLogDetails & { failedDownloads: typeof failures; error?: string } = {
    funnelName: funnel.name,
    funnelId: funnel.id,
    funnelApiId: funnel.funnelId,
    processingTimeMs: (run.finished_at ?? new Date()).getTime() - run.started_at.getTime(),
    skippedInterviews: skipped,
    detailedChanges: Object.fromEntries(changed),
    failedDownloads: failures,
    ...(run.error && { error: run.error }),
  };
  const metadata: RefreshLogMetadata = {
    count: run.processed,
    newCount: run.new_count,
    updatedCount: run.updated_count,
    archivedCount: run.archived_count,
    downloadedFiles: run.downloaded_files,
    failedFiles: run.failed_files,
    timeframe: run.timeframe,
    funnelDetails: { id: funnel.id, name: funnel.name, funnelId: funnel.funnelId, clientName: funnel.clientName },
    detailedSummary: {
      totalFieldChanges: run.field_change_count,
      updatedInterviewIds: [...changed.keys()],
      skippedInterviewCount: run.skipped_count,
    },
  };
  const failed = run.status === 'failed';
  const partly = run.failed_files > 0 || run.cancel_requested_at !== null;
  return {
    type: failed ? 'error' : 'refresh',
    action: 'sync-interviews',
    status: failed ? 'error' : partly ? 'warning' : 'success',
    summary: `${funnel.name}: ${failed ? run.error : run.message}`,
    details,
    metadata,
  };
}

const plural = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`;

/** What the person who pressed Refresh reads at the end. `whyFilesFailed` is a sentence, when one is true of all of them. */
export function endMessage(run: RunRow, whyFilesFailed: string | null = null): string {
  const found = `${run.new_count} new, ${run.updated_count} updated`;
  const failed =
    run.failed_files > 0
      ? ` ${plural(run.failed_files, 'file')} could not be downloaded${whyFilesFailed ? `: ${whyFilesFailed}` : '.'}`
      : '';
  return run.cancel_requested_at !== null
    ? `Refresh cancelled after ${run.processed} of ${plural(run.total, 'interview')} and ${run.downloaded_files} of ${plural(run.total_files, 'file')}: ${found}.${failed}`
    : `Processed ${plural(run.processed, 'interview')}: ${found}.${failed}`;
}
