import type { Selectable } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type QueuedRefresh = Selectable<DB['queued_refresh']>;

/** Replaces what is left of an earlier queue. */
export async function insertQueue(tx: Executor, queueId: string, funnelIds: readonly number[]): Promise<void> {
  await deleteQueue(tx);
  const rows = funnelIds.map((funnelId, index) => ({
    position: index + 1,
    funnel_id: funnelId,
    queue_id: queueId,
    total: funnelIds.length,
  }));
  await tx.insertInto('queued_refresh').values(rows).execute();
}

export const findNextQueued = (db: Executor): Promise<QueuedRefresh | undefined> =>
  db.selectFrom('queued_refresh').selectAll().orderBy('position').limit(1).executeTakeFirst();

export async function deleteQueued(tx: Executor, { queue_id: queueId, position }: QueuedRefresh): Promise<void> {
  await tx.deleteFrom('queued_refresh').where('queue_id', '=', queueId).where('position', '=', position).execute();
}

export async function deleteQueue(tx: Executor): Promise<void> {
  await tx.deleteFrom('queued_refresh').execute();
}

/** The runs of a queue that have started, in their order. */
export const listQueueRuns = (db: Executor, queueId: string) =>
  db
    .selectFrom('sync_run')
    .select(['funnel_id', 'error', 'error_dismissed', 'processed', 'new_count', 'updated_count'])
    .where('queue_id', '=', queueId)
    .orderBy('queue_position')
    .execute();
