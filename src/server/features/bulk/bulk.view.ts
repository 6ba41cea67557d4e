import type { BulkRun } from '#contracts/bulk.ts';
import type { Actor } from '#contracts/logs.ts';
import type { BulkRunRow } from './bulk-runs.repo.ts';

export const viewBulkRun = (row: BulkRunRow): BulkRun => ({
  id: row.id,
  action: row.action as BulkRun['action'],
  status: row.status as BulkRun['status'],
  total: row.total,
  done: row.done_count,
  started: row.started_count,
  failed: row.failed_count,
  skipped: row.skipped_count,
  cancelRequested: row.cancel_requested_at !== null,
  error: row.error,
  startedBy: viewAccount(row.started_by as unknown as Actor),
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
});

const viewAccount = ({ accountId, name }: Actor): BulkRun['startedBy'] =>
  accountId == null || name === null ? null : { id: accountId, username: name };
