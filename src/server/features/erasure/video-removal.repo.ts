import { sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';

export interface UnwantedVideo {
  id: string;
  url: string;
}

/** A video that is still published; `failure` is the reason why the host refused to delete it. */
export type PendingRemoval = UnwantedVideo & { failure: string | null };

/** True for videos of candidates who were erased at their request. */
export interface RemovalReason {
  isErased: boolean;
}

export async function insertRemovals(
  tx: Executor,
  videos: readonly UnwantedVideo[],
  { isErased }: RemovalReason,
): Promise<void> {
  if (videos.length === 0) return;
  await tx
    .insertInto('video_removal')
    .values(videos.map(({ id, url }) => ({ video_id: id, video_url: url, is_erased: isErased })))
    .onConflict((conflict) =>
      conflict
        .column('video_id')
        .doUpdateSet({ failure: null, is_erased: sql`video_removal.is_erased OR excluded.is_erased` }),
    )
    .execute();
}

export const listRemovals = (db: Executor): Promise<PendingRemoval[]> =>
  db
    .selectFrom('video_removal')
    .select(['video_id as id', 'video_url as url', 'failure'])
    .orderBy('asked_at')
    .orderBy('video_id')
    .execute();

export const isRemovalPending = async (db: Executor, id: string): Promise<boolean> =>
  (await db.selectFrom('video_removal').select('video_id').where('video_id', '=', id).executeTakeFirst()) !== undefined;

export const deleteRemoval = (tx: Executor, id: string) =>
  tx.deleteFrom('video_removal').where('video_id', '=', id).execute();

/** Undefined when the same failure is stored already. */
export async function updateRemovalFailure(
  tx: Executor,
  id: string,
  failure: string,
): Promise<(RemovalReason & { url: string }) | undefined> {
  return tx
    .updateTable('video_removal')
    .set({ failure })
    .where('video_id', '=', id)
    .where('failure', 'is distinct from', sql<string>`${failure}`)
    .returning(['video_url as url', 'is_erased as isErased'])
    .executeTakeFirst();
}
