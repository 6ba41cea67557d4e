import { sql } from 'kysely';
import type { SavedView } from '#contracts/saved-views.ts';
import type { Executor } from '#server/db/database.ts';

const COLUMNS = ['id', 'name', 'query'] as const;

/** Makes concurrent inserts of an account wait for each other, so that the limit holds. */
export const lockViewsOfAccount = (tx: Executor, accountId: number) =>
  sql`SELECT pg_advisory_xact_lock(${SAVED_VIEW_LOCKS}::int, ${accountId}::int)`.execute(tx);

/** The first key of these advisory locks. The second one is the account. */
const SAVED_VIEW_LOCKS = 5_001_870;

export const listSavedViewsOf = (db: Executor, accountId: number): Promise<SavedView[]> =>
  db
    .selectFrom('saved_view')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();

export const insertSavedView = (
  tx: Executor,
  view: { account_id: number; name: string; query: string },
): Promise<SavedView> => tx.insertInto('saved_view').values(view).returning(COLUMNS).executeTakeFirstOrThrow();

/** A view of an account. */
export interface OwnedView {
  id: number;
  accountId: number;
}

export const updateSavedViewName = (db: Executor, { id, accountId }: OwnedView, name: string) =>
  db
    .updateTable('saved_view')
    .set({ name })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning(COLUMNS)
    .executeTakeFirst();

/** The views of all accounts. */
export const listAllSavedViews = (db: Executor): Promise<SavedView[]> =>
  db.selectFrom('saved_view').select(COLUMNS).execute();

export async function deleteSavedViews(db: Executor, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('saved_view').where('id', '=', sql<number>`ANY(${ids}::int[])`).execute();
}

/** Returns false when the account has no such view. */
export async function deleteSavedView(db: Executor, { id, accountId }: OwnedView): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_view')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
