import { type Insertable, type Selectable, sql } from 'kysely';
import { type NoticeKind, type NoticeSettings, noticeKindsOf } from '#contracts/notices.ts';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';
import type { SignedIn } from '#server/http/guards/session-guard.ts';

export type NoticeRow = Pick<
  Selectable<DB['notice']>,
  'id' | 'kind' | 'interview_id' | 'share_id' | 'actor' | 'created_at' | 'read_at'
>;

/** An account, its role and the funnels that it sees. Null: all funnels. */
export type NoticeReader = Pick<SignedIn, 'accountId' | 'role' | 'funnelIds'>;

/**
 * Omits kinds of notices that the role does not get, notices about interviews that the account no
 * longer sees, and notices about links with such an interview.
 */
const selectVisible = (db: Executor, { accountId, role, funnelIds }: NoticeReader) => {
  const notices = db
    .selectFrom('notice')
    .where('notice.account_id', '=', accountId)
    .where('kind', '=', sql<string>`ANY(${noticeKindsOf(role)}::text[])`);
  if (funnelIds === null) return notices;
  return notices
    .leftJoin('interview', 'interview.id', 'notice.interview_id')
    .where(sql<boolean>`(notice.interview_id IS NULL OR interview.funnel_id = ANY(${funnelIds}::int[]))
      AND NOT EXISTS (
        SELECT FROM share_item AS item JOIN interview AS i ON i.id = item.interview_id
        WHERE item.share_id = notice.share_id AND i.funnel_id <> ALL(${funnelIds}::int[]))`);
};

export const listNotices = (db: Executor, reader: NoticeReader, limit: number): Promise<NoticeRow[]> =>
  selectVisible(db, reader)
    .select(['notice.id', 'kind', 'interview_id', 'share_id', 'actor', 'notice.created_at', 'read_at'])
    .orderBy('notice.id', 'desc')
    .limit(limit)
    .execute();

export async function countUnread(db: Executor, reader: NoticeReader): Promise<number> {
  const { count } = await selectVisible(db, reader)
    .select(sql<number>`count(*)::int`.as('count'))
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export type NoticeAbout = Awaited<ReturnType<typeof listNoticesAbout>>[number];

export const listNoticesAbout = (db: Executor, interviewIds: readonly string[]) =>
  db
    .selectFrom('notice')
    .select(['interview_id as interviewId', 'kind', 'actor', 'created_at as createdAt', 'read_at as readAt'])
    .where('interview_id', '=', sql<string>`ANY(${interviewIds}::text[])`)
    .orderBy('id')
    .execute();

/** Without `ids`, marks all notices of the account. Returns false if none was unread. */
export async function updateRead(tx: Executor, accountId: number, ids: readonly number[] | undefined) {
  const unread = tx
    .updateTable('notice')
    .set({ read_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null);
  const { numUpdatedRows } = await (ids
    ? unread.where('id', '=', sql<number>`ANY(${ids}::int[])`)
    : unread
  ).executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function findFunnelId(tx: Executor, interviewId: string): Promise<number | undefined> {
  const interviews = tx.selectFrom('interview').select('funnel_id').where('id', '=', interviewId);
  return (await interviews.executeTakeFirst())?.funnel_id;
}

export async function insertNotices(tx: Executor, rows: readonly Insertable<DB['notice']>[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('notice').values(rows).execute();
}

export interface NoticeContent {
  kind: NoticeKind;
  interviewId: string | null;
  shareId: number;
  actor: string | null;
}

/** Deletes the unread notices with the same content. Returns their accounts. */
export async function deleteUnread(
  tx: Executor,
  accountIds: readonly number[],
  { kind, interviewId, shareId, actor }: NoticeContent,
): Promise<ReadonlySet<number>> {
  const rows = await tx
    .deleteFrom('notice')
    .where('account_id', '=', sql<number>`ANY(${accountIds}::int[])`)
    .where('read_at', 'is', null)
    .where('kind', '=', kind)
    .where('share_id', '=', shareId)
    .where(sql<boolean>`interview_id IS NOT DISTINCT FROM ${interviewId} AND actor IS NOT DISTINCT FROM ${actor}`)
    .returning('account_id')
    .execute();
  return new Set(rows.map(({ account_id }) => account_id));
}

/** Accounts without a row have the defaults. */
export async function findSettings(
  db: Executor,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, NoticeSettings>> {
  const rows = await db
    .selectFrom('notice_settings')
    .selectAll()
    .where('account_id', '=', sql<number>`ANY(${accountIds}::int[])`)
    .execute();
  return new Map(rows.map(({ account_id, ...settings }) => [account_id, settings as NoticeSettings]));
}

export async function upsertSettings(tx: Executor, accountId: number, settings: NoticeSettings): Promise<void> {
  await tx
    .insertInto('notice_settings')
    .values({ account_id: accountId, ...settings })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(settings))
    .execute();
}

/** Removes notices of these kinds from the next daily mail. */
export async function updateMailNotDue(tx: Executor, accountId: number, kinds: readonly NoticeKind[]): Promise<void> {
  await tx
    .updateTable('notice')
    .set({ is_mail_due: false })
    .where('account_id', '=', accountId)
    .where('is_mail_due', '=', true)
    .where('kind', '=', sql<string>`ANY(${kinds}::text[])`)
    .execute();
}

/** Lists the accounts that have notices older than `before` waiting for a daily mail. */
export async function listAccountsWithMailDue(db: Executor, before: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('notice')
    .select('account_id')
    .distinct()
    .where('is_mail_due', '=', true)
    .where('created_at', '<', before)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/**
 * Claims the notices of an account for a daily mail, and returns them with the funnels of their
 * interviews and links. Each notice is returned to one process only.
 */
export async function takeMailDue(tx: Executor, accountId: number, before: Date) {
  const { rows } = await sql<{ kind: NoticeKind; actor: string | null; isRead: boolean; funnelIds: number[] }>`
    WITH due AS (
      UPDATE notice SET is_mail_due = false WHERE account_id = ${accountId} AND is_mail_due AND created_at < ${before}
      RETURNING id, kind, actor, read_at, interview_id, share_id
    )
    SELECT due.kind, due.actor, due.read_at IS NOT NULL AS "isRead", ARRAY(
        SELECT DISTINCT funnel_id FROM interview
        WHERE id = ANY(ARRAY(SELECT interview_id FROM share_item WHERE share_id = due.share_id) || due.interview_id)
      ) AS "funnelIds"
    FROM due ORDER BY due.id
  `.execute(tx);
  return rows;
}

export async function deleteNoticesBefore(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom('notice').where('created_at', '<', before).execute();
}
