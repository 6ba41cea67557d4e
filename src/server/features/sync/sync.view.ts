import type { RefreshStatus, Timeframe } from '#contracts/sync.ts';
import { WAITING_FOR_WORKER } from '#server/jobs/live-workers.ts';
import type { RunRow } from './sync-runs.repo.ts';

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
