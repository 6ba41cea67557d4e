import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import type { UnwantedFile } from '../media/file-removal.service.ts';
import type { FunnelRow, funnelColumns } from './funnels.view.ts';

type Columns = ReturnType<typeof funnelColumns>;

/** Funnels with their number of interviews, which is kept counted (migration 0003) and not counted here. */
const funnels = (db: Executor) =>
  db
    .selectFrom('funnel')
    .selectAll('funnel')
    .select((q) =>
      q
        .selectFrom('listing_count')
        .select((count) => sql<number>`coalesce(${count.fn.sum('n')}, 0)::int`.as('n'))
        .whereRef('listing_count.funnel_id', '=', 'funnel.id')
        .as('interview_count'),
    );

export const allFunnels = (db: Executor): Promise<FunnelRow[]> =>
  funnels(db).orderBy('created_at', 'desc').orderBy('id', 'desc').$castTo<FunnelRow>().execute();

export const activeFunnelRow = (db: Executor): Promise<FunnelRow | undefined> =>
  funnels(db).where('is_active', '=', true).$castTo<FunnelRow>().executeTakeFirst();

/** Holds the active funnel: nobody can delete it until the transaction ends. */
export const holdActiveFunnel = (tx: Executor): Promise<{ id: number } | undefined> =>
  tx.selectFrom('funnel').select('id').where('is_active', '=', true).forKeyShare().executeTakeFirst();

export const funnelRow = (db: Executor, id: number): Promise<FunnelRow | undefined> =>
  funnels(db).where('id', '=', id).$castTo<FunnelRow>().executeTakeFirst();

export const insertFunnel = (db: Executor, columns: Columns) =>
  db.insertInto('funnel').values(columns).returning('id').executeTakeFirstOrThrow();

export const changeFunnel = (db: Executor, id: number, columns: Columns) =>
  db.updateTable('funnel').set(columns).where('id', '=', id).returning('id').executeTakeFirst();

/** All others first, so that the index `funnel_one_active` never sees two. Rows are locked in the order of their ids against deadlocks. */
export async function makeActive(db: Executor, id: number): Promise<boolean> {
  await db.selectFrom('funnel').select('id').orderBy('id').forNoKeyUpdate().execute();
  await db
    .updateTable('funnel')
    .set({ is_active: false })
    .where('is_active', '=', true)
    .where('id', '!=', id)
    .execute();
  const active = await db
    .updateTable('funnel')
    .set({ is_active: true })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return active !== undefined;
}

/** Holds a funnel that is to be deleted. Everybody locks the funnel before what follows from it (`listing_state`), against deadlocks. */
export async function holdFunnel(tx: Executor, id: number): Promise<void> {
  await tx.selectFrom('funnel').select('id').where('id', '=', id).forUpdate().execute();
}

/** Deletes a funnel's interviews. Resolves with the files that they had in the store, also those named a moment before. */
export async function removeInterviews(tx: Executor, id: number): Promise<UnwantedFile[]> {
  const rows = await tx
    .deleteFrom('interview')
    .where('funnel_id', '=', id)
    .returning(['id', 'video_file', 'thumbnail_file'])
    .execute();
  return rows.flatMap(({ id: interviewId, video_file, thumbnail_file }) => [
    ...(video_file ? [{ interviewId, kind: 'video' as const, name: video_file }] : []),
    ...(thumbnail_file ? [{ interviewId, kind: 'thumbnail' as const, name: thumbnail_file }] : []),
  ]);
}

export const removeFunnel = (db: Executor, id: number) =>
  db.deleteFrom('funnel').where('id', '=', id).returning(['id', 'name']).executeTakeFirst();
