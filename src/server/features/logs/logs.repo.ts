import { type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { HandlerInput } from '#contracts/endpoint.ts';
import { type Actor, type LogAction, type listLogs, VIEW_ACTIONS } from '#contracts/logs.ts';
import type { Database, Executor } from '#server/db/database.ts';
import { PREPARED } from '#server/db/prepared.ts';
import type { DB } from '#server/db/tables.ts';
import type { Concerns, NewLogEntry } from '#server/events/events.ts';
import { maskSecrets } from '#server/ports/sent-secrets.ts';
import { limitContent } from './limit-entry.ts';

export type LogRow = Omit<Selectable<DB['log_entry']>, 'interview_ids'> & { isShortened: boolean };

/** May read its own entries and entries of some funnels. Null: an administrator reads all. */
export type LogReader = { accountId: number /** Null: all. */; funnelIds: readonly number[] | null } | null;

/** In bytes, for details and metadata together. Lists and live messages leave larger ones out. */
const MAX_LISTED_BYTES = 32 * 1_024;
const DAY_MS = 86_400_000;

/** Entries of earlier releases have no size. Stored JSON is usually compressed to a quarter. */
const isLarge = sql<boolean>`
  coalesce(content_bytes, 4 * (coalesce(pg_column_size(details), 0) + coalesce(pg_column_size(metadata), 0)))
    > ${sql.lit(MAX_LISTED_BYTES)}`;

/** An entry with its defaults. */
type CompleteEntry = NewLogEntry & Required<Pick<NewLogEntry, 'type' | 'status'>> & Partial<Concerns>;

export async function insertLog(db: Executor, entry: CompleteEntry, actor: Actor): Promise<number> {
  const content = limitContent(entry.details ?? null, entry.metadata ?? null);
  const [details = null, metadata = null] = content.map((part) =>
    part === null ? null : maskShort(JSON.stringify(part)),
  );
  const row = await db
    .insertInto('log_entry')
    .values({
      type: entry.type,
      action: entry.action,
      status: entry.status,
      summary: maskSecrets(entry.summary),
      details,
      metadata,
      funnel_id: entry.funnelId ?? null,
      interview_ids: entry.interviewIds ?? null,
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

/** Messages of services are in short contents. Longer ones list interviews, and would take long. */
const maskShort = (content: string) => (content.length > MAX_LISTED_BYTES ? content : maskSecrets(content));

export async function hasEntryWithin(tx: Executor, entry: CompleteEntry, ms: number): Promise<boolean> {
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

export const findLog = (db: Database, id: number, reader: LogReader): Promise<LogRow | undefined> =>
  db
    .selectFrom('log_entry')
    .selectAll()
    .select(sql<boolean>`false`.as('isShortened'))
    .where('id', '=', id)
    .where(isReadable(reader))
    .executeTakeFirst();

/** The entry as a list contains it. */
export const findListedLog = (db: Database, id: number): Promise<LogRow | undefined> =>
  selectListed(db.selectFrom('log_entry')).where('id', '=', id).executeTakeFirst();

const selectListed = (entries: SelectQueryBuilder<DB, 'log_entry', unknown>) =>
  entries
    .select(['id', 'type', 'action', 'status', 'summary', 'created_at', 'content_bytes', 'funnel_id'])
    .select(['actor_kind', 'actor_account_id', 'actor_name', 'actor_address', 'actor_request_id'])
    .select(isLarge.as('isShortened'))
    .select(sql<LogRow['details']>`CASE WHEN NOT ${isLarge} THEN details END`.as('details'))
    .select(sql<LogRow['metadata']>`CASE WHEN NOT ${isLarge} THEN metadata END`.as('metadata'));

type LogsQuery = HandlerInput<typeof listLogs>['query'];

const hasRange = ({ startDate, endDate }: LogsQuery) => startDate !== undefined || endDate !== undefined;

/** One page, newest first, and the exact number of entries that match the filters. */
export async function listLogRows(
  db: Database,
  query: LogsQuery,
  reader: LogReader,
): Promise<{ rows: LogRow[]; total: number }> {
  if (reader !== null) return listReadableRows(db, query, reader);
  const page = selectListed(db.selectFrom('log_entry'))
    .where(matches(query))
    .where(sql<boolean>`created_at < place.before`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(sql<number>`place.skipped`)
    .limit(query.limit);
  // The best plan for a date range depends on its dates.
  const { rows } = await sql<LogRow & { total: number }>`${hasRange(query) ? sql`` : PREPARED}
    SELECT place.total, page.*
    FROM (${placeOf(query)}) AS place LEFT JOIN LATERAL ${page} AS page ON true
    ORDER BY page.created_at DESC, page.id DESC
  `.execute(db);
  return { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}

/** The stored counts know neither single funnels nor actors. */
async function listReadableRows(db: Database, query: LogsQuery, reader: NonNullable<LogReader>) {
  const ofFunnels =
    reader.funnelIds === null && !hasRange(query)
      ? sql`SELECT coalesce(sum(n), 0) FROM log_total WHERE has_funnel AND ${columnsMatch(query)}`
      : sql`SELECT count(*) FROM log_entry WHERE ${isOfFunnels(reader)} AND ${matches(query)}`;
  const { rows: counts } = await sql<{ n: number }>`
    SELECT (${ofFunnels})::int
      + (SELECT count(*) FROM log_entry WHERE ${isOnlyOwn(reader)} AND ${matches(query)})::int
      AS n
  `.execute(db);
  const total = counts[0]?.n ?? 0;
  // A page would read all entries to find none.
  if (total === 0) return { rows: [], total };
  const rows = await selectListed(db.selectFrom('log_entry'))
    .where(sql<boolean>`id IN (${readablePage(query, reader)})`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return { rows, total };
}

/** The ids of a page, from the index of each funnel and the one of the actor. */
function readablePage(query: LogsQuery, reader: NonNullable<LogReader>): RawBuilder<unknown> {
  const { funnelIds } = reader;
  const first = (condition: RawBuilder<SqlBool>) => sql`
    SELECT id, created_at FROM log_entry WHERE ${condition} AND ${matches(query)}
    ORDER BY created_at DESC, id DESC LIMIT ${query.page * query.limit}`;
  const ofFunnels =
    funnelIds === null
      ? first(isOfFunnels(reader))
      : sql`SELECT entry.id, created_at FROM unnest(${funnelIds}::int[]) AS visible (id),
          LATERAL (${first(sql`funnel_id = visible.id`)}) AS entry`;
  return sql`
    SELECT id FROM ((${ofFunnels}) UNION ALL (${first(isOnlyOwn(reader))})) AS entries
    ORDER BY created_at DESC, id DESC LIMIT ${query.limit} OFFSET ${(query.page - 1) * query.limit}`;
}

const isReadable = (reader: LogReader): RawBuilder<SqlBool> =>
  reader === null ? sql`true` : sql`((${isOfFunnels(reader)}) OR (${isOwn(reader)}))`;

const isOfFunnels = ({ funnelIds }: NonNullable<LogReader>): RawBuilder<SqlBool> =>
  funnelIds === null ? sql`funnel_id IS NOT NULL` : sql`funnel_id = ANY(${funnelIds}::int[])`;

const isOnlyOwn = (reader: NonNullable<LogReader>): RawBuilder<SqlBool> =>
  sql`${isOwn(reader)} AND (${isOfFunnels(reader)}) IS NOT TRUE`;

const isOwn = ({ accountId }: NonNullable<LogReader>): RawBuilder<SqlBool> =>
  sql`actor_account_id = ${accountId} AND actor_kind = 'account'`;

/**
 * Where a page starts, so that a deep one does not read the days before it. A row with `total`,
 * `before` (the end of the newest UTC day on the page, null when the page is behind the last entry)
 * and `skipped` (matching entries of this day before the page).
 */
function placeOf(query: LogsQuery): RawBuilder<unknown> {
  // Without a date range, the days of the first page are not added up.
  if (query.page === 1)
    return sql`
      SELECT coalesce(sum(n), 0)::int AS total, timestamptz 'infinity' AS before, 0 AS skipped
      FROM ${hasRange(query) ? sql`(${countDays(query)}) AS counts` : sql`log_total WHERE ${columnsMatch(query)}`}`;
  const earlier = (query.page - 1) * query.limit;
  return sql`
    SELECT coalesce(sum(n), 0)::int AS total,
      (max(day) FILTER (WHERE reached > ${earlier}) + 1)::timestamp AT TIME ZONE 'UTC' AS before,
      ${earlier}::bigint - coalesce(min(reached - n) FILTER (WHERE reached > ${earlier}), 0)::bigint AS skipped
    FROM (
      SELECT day, sum(n) AS n, sum(sum(n)::int) OVER (ORDER BY day DESC) AS reached
      FROM (${countDays(query)}) AS counts GROUP BY day
    ) AS days`;
}

/**
 * Rows of `day` and `n`, several per day. Triggers update `log_count` (migrations 0036 and 0070),
 * so entries are counted only at the ends of a date range.
 */
function countDays(query: LogsQuery): RawBuilder<unknown> {
  const { whole, parts } = splitRange(query);
  const ofParts = parts.map(
    ({ day, from, to, sign }) => sql`
      UNION ALL
      SELECT ${day}::date, ${sql.lit(sign)} * count(*)::int FROM log_entry
      WHERE created_at >= ${from} AND created_at < ${to} AND ${columnsMatch(query)}`,
  );
  return sql`SELECT day, n FROM log_count WHERE ${columnsMatch(query)} AND ${whole} ${sql.join(ofParts, sql``)}`;
}

/**
 * Entries from `from` and before `to` of a UTC day, which are added to the whole days or
 * subtracted.
 */
interface PartOfDay {
  day: string;
  from: Date;
  to: Date;
  sign: 1 | -1;
}

/** Splits the date range into whole days, as a condition, and parts of its first and last day. */
function splitRange({ startDate, endDate }: LogsQuery): { whole: RawBuilder<SqlBool>; parts: PartOfDay[] } {
  const first = startDate === undefined ? null : { day: utcDay(startDate), moment: new Date(startDate) };
  const last = endDate === undefined ? null : { day: utcDay(endDate), moment: nextMillisecond(endDate) };
  if (first && last && first.day >= last.day) {
    const part = { day: first.day, from: first.moment, to: last.moment, sign: 1 as const };
    return { whole: sql`false`, parts: [part].filter(isNotEmpty) };
  }
  const [start, end] = [first && splitDay(first, 'after'), last && splitDay(last, 'before')];
  return {
    whole: sql`true
      ${start ? sql`AND day ${sql.raw(start.isWhole ? '>=' : '>')} ${start.part.day}::date` : sql``}
      ${end ? sql`AND day ${sql.raw(end.isWhole ? '<=' : '<')} ${end.part.day}::date` : sql``}`,
    parts: [start, end].flatMap((edge) => edge?.part ?? []).filter(isNotEmpty),
  };
}

/**
 * Where most of the day is in the range, the day counts as a whole and the rest is subtracted, so
 * that no more than half a day is counted entry by entry.
 */
function splitDay({ day, moment }: { day: string; moment: Date }, wanted: 'before' | 'after') {
  const start = new Date(day);
  const end = new Date(start.getTime() + DAY_MS);
  const isAfterShorter = end.getTime() - moment.getTime() < DAY_MS / 2;
  const isWhole = isAfterShorter === (wanted === 'before');
  const [from, to] = isAfterShorter ? [moment, end] : [start, moment];
  const part: PartOfDay = { day, from, to, sign: isWhole ? -1 : 1 };
  return { isWhole, part };
}

const isNotEmpty = ({ from, to }: PartOfDay): boolean => from < to;

const utcDay = (moment: string): string => new Date(moment).toISOString().slice(0, 10);

const matches = (query: LogsQuery): RawBuilder<SqlBool> =>
  sql`${columnsMatch(query)}
    ${query.startDate === undefined ? sql`` : sql`AND created_at >= ${new Date(query.startDate)}`}
    ${query.endDate === undefined ? sql`` : sql`AND created_at < ${nextMillisecond(query.endDate)}`}`;

/** A condition on columns that `log_entry`, `log_count` and `log_total` have. */
const columnsMatch = ({ type, views }: LogsQuery): RawBuilder<SqlBool> =>
  sql`${type === undefined ? sql`true` : sql`type = ${type}`}
    ${views === 'true' ? sql`` : sql`AND action <> ALL(${VIEW_ACTIONS}::text[])`}`;

/**
 * PostgreSQL stores microseconds and the API returns milliseconds: an entry whose shown time equals
 * the end of the range must match.
 */
const nextMillisecond = (moment: string) => new Date(Date.parse(moment) + 1);

/** Keeps the entries of the last 24 hours. The application may delete no others. */
export async function deleteLogsBefore(db: Database, moment: Date): Promise<void> {
  await sql`SELECT delete_log_entries_before(${moment})`.execute(db);
}
