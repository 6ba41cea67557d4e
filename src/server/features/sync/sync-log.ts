import type { Funnel } from '#contracts/funnels.ts';
import type { RefreshLogDetails, RefreshLogMetadata } from '#contracts/logs.ts';
import type { Timeframe } from '#contracts/sync.ts';
import type { NewLogEntry } from '#server/features/logs/logs.service.ts';
import type { listRecords } from './sync-records.repo.ts';
import type { RunRow } from './sync-runs.repo.ts';

type Records = Awaited<ReturnType<typeof listRecords>>;

const plural = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

const SCOPES: Record<Timeframe, string> = { future: 'new', past: 'older', all: 'all' };

export const startEntry = (funnel: Funnel, timeframe: Timeframe): NewLogEntry => ({
  type: 'refresh',
  action: 'start-refresh',
  status: 'info',
  summary: `Started a refresh of ${funnel.name} (${SCOPES[timeframe]} interviews).`,
  metadata: { funnelId: funnel.id, timeframe },
});

export const announcedEntry = (funnel: Funnel, count: number): NewLogEntry => ({
  type: 'refresh',
  action: 'start-refresh',
  status: 'info',
  summary: `${funnel.name}: reading ${plural(count, 'interview')} sent by webhook.`,
  metadata: { funnelId: funnel.id, count },
});

export const cancelEntry = (funnel: Funnel | null): NewLogEntry => ({
  type: 'refresh',
  action: 'cancel-refresh',
  status: 'info',
  summary: funnel ? `Canceled the refresh of ${funnel.name}.` : 'Canceled the refresh.',
});

/** The entry of a run that has ended. */
export function endEntry(run: RunRow, funnel: Funnel, { skipped, changes, failures }: Records): NewLogEntry {
  // A map, because ids of the service may be any text, also `constructor`.
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
  const hasFailed = run.status === 'failed';
  const isPartial = run.failed_files > 0 || run.cancel_requested_at !== null;
  return {
    type: hasFailed ? 'error' : 'refresh',
    action: 'sync-interviews',
    status: hasFailed ? 'error' : isPartial ? 'warning' : 'success',
    summary: `${funnel.name}: ${hasFailed ? run.error : run.message}`,
    details,
    metadata,
  };
}

/** The message shown when a refresh ends. `reason` is the one that all failed files share. */
export function endMessage(run: RunRow, reason: string | null): string {
  const done = describeEnd(run);
  if (run.failed_files === 0) return done;
  return `${done} ${plural(run.failed_files, 'file')} could not be downloaded${reason ? `: ${reason}` : '.'}`;
}

interface QueueRun extends Pick<RunRow, 'error' | 'error_dismissed' | 'processed' | 'new_count' | 'updated_count'> {
  /** The name of its funnel. */
  name: string;
}

/** The message or the error shown when all refreshes of a queue have ended. */
export function queueEnd(runs: readonly QueueRun[]): { message: string | null; error: string | null } {
  const failed = runs.filter((run) => run.error !== null && !run.error_dismissed);
  if (failed.length > 0) {
    const reasons = failed.map(({ name, error }) => `${name}: ${error}`).join(' ');
    return { message: null, error: `${failed.length} of ${plural(runs.length, 'job')} failed. ${reasons}` };
  }
  const sum = (column: 'processed' | 'new_count' | 'updated_count') => runs.reduce((n, run) => n + run[column], 0);
  const found = `${sum('new_count')} new, ${sum('updated_count')} updated`;
  return {
    message: `${plural(runs.length, 'job')}, ${plural(sum('processed'), 'interview')} checked: ${found}.`,
    error: null,
  };
}

function describeEnd(run: RunRow): string {
  const found = `${run.new_count} new, ${run.updated_count} updated`;
  if (run.cancel_requested_at !== null) {
    if (run.total === 0) return 'Canceled before any interview was read.';
    const files = run.total_files === 0 ? '' : ` and ${run.downloaded_files} of ${plural(run.total_files, 'file')}`;
    return `Canceled after ${run.processed} of ${plural(run.total, 'interview')}${files}: ${found}.`;
  }
  const interviews = plural(run.processed, 'interview');
  if (run.new_count + run.updated_count === 0) return `Up to date: ${interviews} checked.`;
  return `${interviews} checked: ${found}.`;
}
