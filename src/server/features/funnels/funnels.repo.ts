import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { FunnelSource } from '#contracts/sources.ts';
import { anyIdOf, type Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type FunnelRow = Selectable<DB['funnel']> & { interview_count: number };
export type NewFunnel = Insertable<DB['funnel']>;

/** The number of interviews comes from `listing_funnel`, which triggers update (migration 0035). */
const selectFunnels = (db: Executor) =>
  db
    .selectFrom('funnel')
    .leftJoin('listing_funnel', (join) =>
      join.onRef('listing_funnel.funnel_id', '=', 'funnel.id').on('listing_funnel.archived', '=', false),
    )
    .selectAll('funnel')
    .select((q) => q.fn.coalesce('listing_funnel.n', sql<number>`0`).as('interview_count'));

/** Lists the funnels with these ids, newest first. `ids` null: all funnels. */
export const listFunnels = (db: Executor, ids: readonly number[] | null): Promise<FunnelRow[]> =>
  selectFunnels(db)
    .$if(ids !== null, (query) => query.where('id', '=', anyIdOf(ids ?? [])))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .$castTo<FunnelRow>()
    .execute();

export const findActiveFunnel = (db: Executor): Promise<FunnelRow | undefined> =>
  selectFunnels(db).where('is_active', '=', true).$castTo<FunnelRow>().executeTakeFirst();

export const findFunnel = (db: Executor, id: number): Promise<FunnelRow | undefined> =>
  selectFunnels(db).where('id', '=', id).$castTo<FunnelRow>().executeTakeFirst();

/** Locks the funnels against deletion until the transaction ends. Returns the ids that exist. */
export async function lockFunnelsShared(tx: Executor, ids: readonly number[]): Promise<number[]> {
  const rows = await tx.selectFrom('funnel').select('id').where('id', 'in', ids).orderBy('id').forKeyShare().execute();
  return rows.map(({ id }) => id);
}

/** The active funnel cannot be deleted until the transaction ends. */
export const lockActiveFunnel = (tx: Executor): Promise<{ id: number } | undefined> =>
  tx.selectFrom('funnel').select('id').where('is_active', '=', true).forKeyShare().executeTakeFirst();

export const insertFunnel = (db: Executor, funnel: NewFunnel) =>
  db.insertInto('funnel').values(funnel).returning('id').executeTakeFirstOrThrow();

export const updateFunnel = (db: Executor, id: number, columns: Updateable<DB['funnel']>) =>
  db.updateTable('funnel').set(columns).where('id', '=', id).returning('id').executeTakeFirst();

/**
 * Returns the funnel that was active before. Undefined when the funnel does not exist. Deactivates
 * the others first, because the index `funnel_one_active` allows one active row. Locks rows in id
 * order to avoid deadlocks.
 */
export async function updateActiveFunnel(db: Executor, id: number) {
  await db.selectFrom('funnel').select('id').orderBy('id').forNoKeyUpdate().execute();
  const before = await db
    .updateTable('funnel')
    .set({ is_active: false })
    .where('is_active', '=', true)
    .where('id', '!=', id)
    .returning('id')
    .executeTakeFirst();
  const active = await db
    .updateTable('funnel')
    .set({ is_active: true })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return active && { deactivatedId: before?.id ?? null };
}

/**
 * Returns its name. Every writer locks the funnel before `listing_state`, which its interviews
 * change, to avoid deadlocks.
 */
export async function lockFunnel(tx: Executor, id: number): Promise<string | undefined> {
  const row = await tx.selectFrom('funnel').select('name').where('id', '=', id).forUpdate().executeTakeFirst();
  return row?.name;
}

export const deleteFunnel = (db: Executor, id: number) => db.deleteFrom('funnel').where('id', '=', id).execute();

export const lockApiKeys = (tx: Executor) =>
  tx
    .selectFrom('funnel')
    .select(['id', 'name', 'external_id', 'api_key_encrypted'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

/** Whether there are funnels with these ids (any for null), and whether one of them is active. */
export const findFunnelSetup = (db: Executor, ids: readonly number[] | null) =>
  db
    .selectFrom('funnel')
    .$if(ids !== null, (query) => query.where('id', '=', anyIdOf(ids ?? [])))
    .select([
      sql<FunnelSource[]>`coalesce(array_agg(DISTINCT source), '{}')`.as('sources'),
      sql<boolean>`count(*) > 0`.as('exists'),
      sql<boolean>`coalesce(bool_or(is_active), false)`.as('hasActive'),
    ])
    .executeTakeFirstOrThrow();
