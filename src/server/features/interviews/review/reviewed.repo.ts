import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';

/** The recommendation in the account's submitted review of an interview; `id` is the column with its id. */
export const recommendationOf = (accountId: number | null, id: string): RawBuilder<number | null> => sql`(
  SELECT r.recommendation FROM review AS r
  WHERE r.account_id = ${accountId}::int AND r.interview_id = ${sql.ref(id)} AND r.submitted_at IS NOT NULL)`;

/** The last moment up to `until` at which the account submitted a review; null without one. */
export async function findLastSubmittedAt(db: Executor, accountId: number, until: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('review')
    .select(({ fn }) => fn.max('submitted_at').as('at'))
    .where('account_id', '=', accountId)
    .where('submitted_at', '<=', until)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** The last moment at which the account submitted a review or changed its recommendation. */
export async function findLastDecidedAt(db: Executor, accountId: number): Promise<Date | null> {
  const row = await db
    .selectFrom('review')
    .select(({ fn }) => fn.max('decided_at').as('at'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.at ?? null;
}
