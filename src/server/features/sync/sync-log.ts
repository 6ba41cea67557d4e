import type { EventData } from '#contracts/events.ts';
import type { RefreshLogDetails, RefreshLogMetadata } from '#contracts/logs.ts';
import type { Timeframe } from '#contracts/sync.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { plural } from '#server/events/log-texts.ts';
import type { RunRow } from './sync-runs.repo.ts';

const SCOPES: Record<Timeframe, string> = { future: 'new', past: 'older', all: 'all' };

export function startEntry({ funnelId, name, timeframe, announced }: EventData<'run.started'>): NewLogEntry {
  const start = { type: 'refresh', action: 'start-refresh', status: 'info' } as const;
  if (announced === null) {
    const summary = `Started a refresh of ${name} (${SCOPES[timeframe]} interviews).`;
    return { ...start, summary, metadata: { funnelId, timeframe } };
  }
  const summary = `${name}: reading ${plural(announced, 'interview')} sent by webhook.`;
  return { ...start, summary, metadata: { funnelId, count: announced } };
}

export const cancelEntry = ({ funnelName }: EventData<'refresh.canceled'>): NewLogEntry => ({
  type: 'refresh',
  action: 'cancel-refresh',
  status: 'info',
  summary: funnelName === null ? 'Canceled the refresh.' : `Canceled the refresh of ${funnelName}.`,
});

/** The entry of a run that has ended. */
export function endEntry(run: EventData<'run.ended'>): NewLogEntry | null {
  const { funnelId, funnel, counts, skipped, changes, failures, processingTimeMs, error } = run;
  if (funnel === null) return null;
  // A map, because ids of the service may be any text, also `constructor`.
  const changed = new Map<string, RefreshLogDetails['detailedChanges'][string]>();
  for (const { interviewId, title, field, oldValue, newValue } of changes) {
    const entry = changed.get(interviewId) ?? { title, fields: {} };
    entry.fields[field] = { oldValue, newValue };
    changed.set(interviewId, entry);
  }
  const { name, serviceId, clientName } = funnel;
  const details: RefreshLogDetails & { failedDownloads: typeof failures; error?: string } = {
    funnelName: name,
    funnelId,
    funnelApiId: serviceId,
    processingTimeMs,
    skippedInterviews: [...skipped],
    detailedChanges: Object.fromEntries(changed),
    failedDownloads: failures,
    ...(error && { error }),
  };
  const metadata: RefreshLogMetadata = {
    count: counts.processed,
    newCount: counts.new,
    updatedCount: counts.updated,
    archivedCount: counts.archived,
    downloadedFiles: counts.downloadedFiles,
    failedFiles: counts.failedFiles,
    timeframe: run.timeframe,
    funnelDetails: { id: funnelId, name, funnelId: serviceId, clientName },
    detailedSummary: {
      totalFieldChanges: counts.fieldChanges,
      updatedInterviewIds: [...changed.keys()],
      skippedInterviewCount: counts.skipped,
    },
  };
  const hasFailed = run.status === 'failed';
  return {
    type: hasFailed ? 'error' : 'refresh',
    action: 'sync-interviews',
    status: hasFailed ? 'error' : counts.failedFiles > 0 || run.isCanceled ? 'warning' : 'success',
    summary: `${name}: ${hasFailed ? error : run.message}`,
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
