import type { Selectable } from 'kysely';
import type { LogEntry, LogStatus, LogType } from '#contracts/logs.ts';
import type { DB } from '../../db/tables.ts';

export type LogRow = Selectable<DB['log_entry']>;

export const viewLogEntry = (row: LogRow): LogEntry => ({
  id: row.id,
  type: row.type as LogType,
  action: row.action,
  status: row.status as LogStatus,
  summary: row.summary,
  createdAt: row.created_at.toISOString(),
  details: row.details as Record<string, unknown> | null,
  metadata: row.metadata as Record<string, unknown> | null,
});
