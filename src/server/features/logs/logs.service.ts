import type { HandlerInput, ResponseOf } from '#contracts/endpoint.ts';
import type { Actor, LogEntry, LogStatus, LogType, listLogs } from '#contracts/logs.ts';
import { hasRole } from '#contracts/rules/roles.ts';
import { AppError } from '#server/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { SignedIn } from '#server/http/guards/session-guard.ts';
import type { IsReceiver } from '#server/live/receivers.ts';
import {
  deleteLogsBefore,
  findLastBackup,
  findListedLog,
  findLog,
  type LogReader,
  type LogRow,
  listLogRows,
} from './logs.repo.ts';

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

  /** Those that the account may read. */
  async list(query: HandlerInput<typeof listLogs>['query'], account: LogAccount): Promise<ResponseOf<typeof listLogs>> {
    const { rows, total } = await listLogRows(this.#db, query, readerOf(account));
    return { logs: rows.map(viewLogEntry), total };
  }

  /** The whole entry. @throws AppError not_found, also when the account may not read it */
  async find(id: number, account: LogAccount): Promise<LogEntry> {
    const row = await findLog(this.#db, id, readerOf(account));
    if (!row) throw new AppError('not_found', 'This log entry no longer exists.');
    return viewLogEntry(row);
  }

  /** The entry as in a list, without large details, and who may read it. */
  async findListed(id: number): Promise<{ entry: LogEntry; isReader: IsReceiver } | null> {
    const row = await findListedLog(this.#db, id);
    return row ? { entry: viewLogEntry(row), isReader: (account) => mayRead(account, row) } : null;
  }

  async deleteExpired(): Promise<void> {
    await deleteLogsBefore(this.#db, new Date(Date.now() - this.#retentionDays * DAY_MS));
  }
}

type LogAccount = Pick<SignedIn, 'accountId' | 'role' | 'funnelIds'>;

const readerOf = ({ accountId, role, funnelIds }: LogAccount): LogReader =>
  role === 'administrator' ? null : { accountId, funnelIds };

/** Applies the rule of `logs.repo.ts` to live messages. */
function mayRead({ accountId, role, funnelIds }: LogAccount, row: LogRow): boolean {
  if (role === 'administrator') return true;
  if (!hasRole(role, 'recruiter')) return false;
  if (row.actor_account_id === accountId && row.actor_kind === 'account') return true;
  return row.funnel_id !== null && (funnelIds?.includes(row.funnel_id) ?? true);
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
