import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

export interface UnwantedVideo {
  id: string;
  url: string;
}

export async function insertRemovals(tx: Executor, videos: readonly UnwantedVideo[]): Promise<void> {
  if (videos.length === 0) return;
  await tx
    .insertInto('video_removal')
    .values(videos.map(({ id, url }) => ({ video_id: id, video_url: url })))
    .onConflict((conflict) => conflict.column('video_id').doUpdateSet({ failure: null }))
    .execute();
}

export const allRemovals = (db: Executor) =>
  db
    .selectFrom('video_removal')
    .select(['video_id as id', 'video_url as url', 'failure'])
    .orderBy('asked_at')
    .orderBy('video_id')
    .execute();

export const isWanted = async (db: Executor, id: string): Promise<boolean> =>
  (await db.selectFrom('video_removal').select('video_id').where('video_id', '=', id).executeTakeFirst()) !== undefined;

export const forgetRemoval = (tx: Executor, id: string) =>
  tx.deleteFrom('video_removal').where('video_id', '=', id).execute();

/** False when the same was said before. */
export async function noteFailure(tx: Executor, id: string, failure: string): Promise<boolean> {
  const noted = await tx
    .updateTable('video_removal')
    .set({ failure })
    .where('video_id', '=', id)
    .where('failure', 'is distinct from', sql<string>`${failure}`)
    .returning('video_id')
    .executeTakeFirst();
  return noted !== undefined;
}
