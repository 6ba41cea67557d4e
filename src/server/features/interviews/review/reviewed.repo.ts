import type { Executor } from '#server/db/database.ts';

/** Finds the recommendation in the account's submitted review; null without one. */
export async function findMyRecommendation(
  db: Executor,
  accountId: number | null,
  interviewId: string,
): Promise<number | null> {
  const row = await db
    .selectFrom('review')
    .select('recommendation')
    .where('account_id', '=', accountId)
    .where('interview_id', '=', interviewId)
    .where('submitted_at', 'is not', null)
    .executeTakeFirst();
  return row?.recommendation ?? null;
}

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
