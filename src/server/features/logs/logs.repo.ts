import type { Selectable } from 'kysely';
import type { HandlerInput } from '#contracts/endpoint.ts';
import type { Actor, LogAction, LogStatus, LogType, listLogs } from '#contracts/logs.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type LogRow = Selectable<DB['log_entry']>;

/** Contains no password, key, cookie or transcript. */
export interface NewLogEntry {
  type: LogType;
  action: LogAction;
  status: LogStatus;
  summary: string;
  details?: object | null;
  metadata?: object | null;
}

export async function insertLog(db: Executor, entry: NewLogEntry, actor: Actor): Promise<number> {
  const row = await db
    .insertInto('log_entry')
    .values({
      type: entry.type,
      action: entry.action,
      status: entry.status,
      summary: entry.summary,
      details: entry.details ? JSON.stringify(entry.details) : null,
      metadata: entry.metadata ? JSON.stringify(entry.metadata) : null,
      actor_kind: actor.kind,
      actor_account_id: actor.accountId,
      actor_name: actor.name,
      actor_address: actor.address,
      actor_request_id: actor.requestId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function findLog(db: Database, id: number): Promise<LogRow | undefined> {
  return await db.selectFrom('log_entry').selectAll().where('id', '=', id).executeTakeFirst();
}

/** One page, newest first, and the exact number of entries that match the filters. */
export async function listLogRows(
  db: Database,
  query: HandlerInput<typeof listLogs>['query'],
): Promise<{ rows: LogRow[]; total: number }> {
  const { page, limit, type, startDate, endDate } = query;
  const matching = db
    .selectFrom('log_entry')
    .$if(type !== undefined, (q) => q.where('type', '=', type as string))
    .$if(startDate !== undefined, (q) => q.where('created_at', '>=', new Date(startDate as string)))
    .$if(endDate !== undefined, (q) => q.where('created_at', '<', nextMillisecond(endDate as string)));
  const [rows, { total }] = await Promise.all([
    matching
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    matching.select((q) => q.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/**
 * PostgreSQL stores microseconds and the API returns milliseconds: an entry whose shown time equals
 * the end of the range must match.
 */
const nextMillisecond = (moment: string) => new Date(Date.parse(moment) + 1);

export async function deleteLogsBefore(db: Database, moment: Date): Promise<void> {
  await db.deleteFrom('log_entry').where('created_at', '<', moment).execute();
}
