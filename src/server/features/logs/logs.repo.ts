import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { HandlerInput } from '#contracts/endpoint.ts';
import {
  type Actor,
  type LogAction,
  type LogStatus,
  type LogType,
  type listLogs,
  VIEW_ACTIONS,
} from '#contracts/logs.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';
import { limitContent } from './limit-entry.ts';

export type LogRow = Selectable<DB['log_entry']> & { isShortened: boolean };

/** In bytes, for details and metadata together. Lists and live messages leave larger ones out. */
const MAX_LISTED_BYTES = 32 * 1_024;

/** Entries of earlier releases have no size. Stored JSON is usually compressed to a quarter. */
const isLarge = sql<boolean>`
  coalesce(content_bytes, 4 * (coalesce(pg_column_size(details), 0) + coalesce(pg_column_size(metadata), 0)))
    > ${sql.lit(MAX_LISTED_BYTES)}`;

/** Contains no password, key, cookie or transcript. Large details are shortened when stored. */
export interface NewLogEntry {
  type: LogType;
  action: LogAction;
  status: LogStatus;
  summary: string;
  details?: object | null;
  metadata?: object | null;
}

export async function insertLog(db: Executor, entry: NewLogEntry, actor: Actor): Promise<number> {
  const content = limitContent(entry.details ?? null, entry.metadata ?? null);
  const [details = null, metadata = null] = content.map((part) => (part === null ? null : JSON.stringify(part)));
  const row = await db
    .insertInto('log_entry')
    .values({
      type: entry.type,
      action: entry.action,
      status: entry.status,
      summary: entry.summary,
      details,
      metadata,
      content_bytes: Buffer.byteLength(`${details ?? ''}${metadata ?? ''}`),
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

export async function hasEntryWithin(tx: Executor, entry: NewLogEntry, ms: number): Promise<boolean> {
  const { machine = null } = (entry.metadata ?? {}) as { machine?: string | null };
  const row = await tx
    .selectFrom('log_entry')
    .select('id')
    .where('type', '=', entry.type)
    .where('created_at', '>', sql<Date>`now() - make_interval(secs => ${ms / 1_000})`)
    .where('action', '=', entry.action)
    .where('status', '=', entry.status)
    .where(sql<boolean>`metadata ->> 'machine' IS NOT DISTINCT FROM ${machine}`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findLastBackup(db: Database): Promise<Date | null> {
  const row = await db
    .selectFrom('log_entry')
    .select((q) => q.fn.max('created_at').as('at'))
    // A literal, as in the index.
    .where('action', '=', sql.lit('make-backup' satisfies LogAction))
    .executeTakeFirst();
  return row?.at ?? null;
}

export const findLog = (db: Database, id: number): Promise<LogRow | undefined> =>
  db
    .selectFrom('log_entry')
    .selectAll()
    .select(sql<boolean>`false`.as('isShortened'))
    .where('id', '=', id)
    .executeTakeFirst();

/** The entry as a list contains it. */
export const findListedLog = (db: Database, id: number): Promise<LogRow | undefined> =>
  selectListed(db.selectFrom('log_entry')).where('id', '=', id).executeTakeFirst();

const selectListed = (entries: SelectQueryBuilder<DB, 'log_entry', unknown>) =>
  entries
    .select(['id', 'type', 'action', 'status', 'summary', 'created_at', 'content_bytes'])
    .select(['actor_kind', 'actor_account_id', 'actor_name', 'actor_address', 'actor_request_id'])
    .select(isLarge.as('isShortened'))
    .select(sql<LogRow['details']>`CASE WHEN NOT ${isLarge} THEN details END`.as('details'))
    .select(sql<LogRow['metadata']>`CASE WHEN NOT ${isLarge} THEN metadata END`.as('metadata'));

/** One page, newest first, and the exact number of entries that match the filters. */
export async function listLogRows(
  db: Database,
  query: HandlerInput<typeof listLogs>['query'],
): Promise<{ rows: LogRow[]; total: number }> {
  const { page, limit, type, startDate, endDate, views } = query;
  const matching = db
    .selectFrom('log_entry')
    .$if(views === 'false', (q) => q.where('action', 'not in', VIEW_ACTIONS))
    .$if(type !== undefined, (q) => q.where('type', '=', type as string))
    .$if(startDate !== undefined, (q) => q.where('created_at', '>=', new Date(startDate as string)))
    .$if(endDate !== undefined, (q) => q.where('created_at', '<', nextMillisecond(endDate as string)));
  const [rows, { total }] = await Promise.all([
    selectListed(matching)
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

/** Keeps the entries of the last 24 hours. The application may delete no others. */
export async function deleteLogsBefore(db: Database, moment: Date): Promise<void> {
  await sql`SELECT delete_log_entries_before(${moment})`.execute(db);
}
