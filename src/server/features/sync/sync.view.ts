import type { Funnel } from '#contracts/funnels.ts';
import type { RefreshStatus, Timeframe } from '#contracts/sync.ts';
import { WAITING_FOR_WORKER } from '#server/jobs/live-workers.ts';
import type { RunCause, RunRow } from './sync-runs.repo.ts';

const IDLE: RefreshStatus = {
  inProgress: false,
  processed: 0,
  total: 0,
  downloadedFiles: 0,
  totalFiles: 0,
  current: null,
  error: null,
  message: null,
  cancelRequested: false,
  funnelId: null,
  timeframe: null,
  queue: null,
};

/** Without a run: the status before the first refresh. */
export function viewStatus(run: RunRow | undefined, isWaitingForWorker = false): RefreshStatus {
  if (!run) return IDLE;
  const inProgress = run.status === 'running';
  return {
    inProgress,
    processed: run.processed,
    total: run.total,
    downloadedFiles: run.downloaded_files,
    totalFiles: run.total_files,
    current: inProgress ? (isWaitingForWorker ? WAITING_FOR_WORKER : run.current) : null,
    error: run.status === 'failed' && !run.error_dismissed ? run.error : null,
    message: run.message,
    cancelRequested: run.cancel_requested_at !== null,
    funnelId: run.funnel_id,
    timeframe: run.timeframe as Timeframe,
    queue:
      run.queue_position === null || run.queue_total === null
        ? null
        : { position: run.queue_position, total: run.queue_total },
  };
}

/** The data of a run that has ended, for its event. */
export const viewEndedRun = (run: RunRow, funnel: Funnel | null) => ({
  runId: run.id,
  funnelId: run.funnel_id,
  funnel: funnel && { name: funnel.name, serviceId: funnel.funnelId, clientName: funnel.clientName },
  cause: run.cause as RunCause,
  timeframe: run.timeframe as Timeframe,
  status: run.status as 'completed' | 'failed',
  isCanceled: run.cancel_requested_at !== null,
  message: run.message,
  error: run.error,
  processingTimeMs: (run.finished_at ?? new Date()).getTime() - run.started_at.getTime(),
  counts: {
    processed: run.processed,
    new: run.new_count,
    updated: run.updated_count,
    archived: run.archived_count,
    skipped: run.skipped_count,
    fieldChanges: run.field_change_count,
    downloadedFiles: run.downloaded_files,
    failedFiles: run.failed_files,
  },
});
