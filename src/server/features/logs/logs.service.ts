import type { HandlerInput, ResponseOf } from '#contracts/endpoint.ts';
import type { Actor, LogEntry, LogStatus, LogType, listLogs } from '#contracts/logs.ts';
import { AppError } from '#server/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { deleteLogsBefore, findLastBackup, findListedLog, findLog, type LogRow, listLogRows } from './logs.repo.ts';

const DAY_MS = 86_400_000;

/** The System Logs: what happened, for the staff. */
export class Logs {
  readonly #db: Database;
  readonly #retentionDays: number;

  constructor(db: Database, retentionDays: number) {
    this.#db = db;
    this.#retentionDays = retentionDays;
  }

  /** When the last backup was completed. Null without an entry about one. */
  findLastBackup(): Promise<Date | null> {
    return findLastBackup(this.#db);
  }

  async list(query: HandlerInput<typeof listLogs>['query']): Promise<ResponseOf<typeof listLogs>> {
    const { rows, total } = await listLogRows(this.#db, query);
    return { logs: rows.map(viewLogEntry), total };
  }

  /** The whole entry. @throws AppError not_found */
  async find(id: number): Promise<LogEntry> {
    const row = await findLog(this.#db, id);
    if (!row) throw new AppError('not_found', 'This log entry no longer exists.');
    return viewLogEntry(row);
  }

  /** The entry as in a list: without large details. */
  async findListed(id: number): Promise<LogEntry | null> {
    const row = await findListedLog(this.#db, id);
    return row ? viewLogEntry(row) : null;
  }

  async deleteExpired(): Promise<void> {
    await deleteLogsBefore(this.#db, new Date(Date.now() - this.#retentionDays * DAY_MS));
  }
}

const viewLogEntry = (row: LogRow): LogEntry => ({
  id: row.id,
  type: row.type as LogType,
  action: row.action,
  status: row.status as LogStatus,
  summary: row.summary,
  createdAt: row.created_at.toISOString(),
  actor: viewActor(row),
  details: row.details as Record<string, unknown> | null,
  metadata: row.metadata as Record<string, unknown> | null,
  isShortened: row.isShortened,
});

const viewActor = (row: LogRow): Actor | null =>
  row.actor_kind === null
    ? null
    : {
        kind: row.actor_kind as Actor['kind'],
        accountId: row.actor_account_id,
        name: row.actor_name,
        address: row.actor_address,
        requestId: row.actor_request_id,
      };
