import type { Answer, HandlerInput } from '#contracts/endpoint.ts';
import type { listLogs } from '#contracts/logs.ts';
import type { Database, Executor } from '../../db/database.ts';
import { type LogRow, viewLogEntry } from './logs.view.ts';
import type { NewLogEntry } from './new-log-entry.ts';

export async function insertLog(db: Executor, entry: NewLogEntry): Promise<number> {
  const row = await db
    .insertInto('log_entry')
    .values({
      type: entry.type,
      action: entry.action,
      status: entry.status,
      summary: entry.summary,
      details: entry.details ? JSON.stringify(entry.details) : null,
      metadata: entry.metadata ? JSON.stringify(entry.metadata) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function findLog(db: Database, id: number): Promise<LogRow | undefined> {
  return await db.selectFrom('log_entry').selectAll().where('id', '=', id).executeTakeFirst();
}

/** One page, newest first, with the exact total of what the filters match. */
export async function readLogs(
  db: Database,
  query: HandlerInput<typeof listLogs>['query'],
): Promise<Answer<typeof listLogs>> {
  const { page, limit, type, startDate, endDate } = query;
  const matching = db
    .selectFrom('log_entry')
    .$if(type !== undefined, (q) => q.where('type', '=', type as string))
    .$if(startDate !== undefined, (q) => q.where('created_at', '>=', new Date(startDate as string)))
    .$if(endDate !== undefined, (q) => q.where('created_at', '<', afterMillisecond(endDate as string)));
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
  return { logs: rows.map(viewLogEntry), total };
}

/** Entries are kept to the microsecond and answered to the millisecond: one answered as at the end of a range lies in it. */
const afterMillisecond = (moment: string) => new Date(Date.parse(moment) + 1);

export async function deleteLogsBefore(db: Database, moment: Date): Promise<void> {
  await db.deleteFrom('log_entry').where('created_at', '<', moment).execute();
}
