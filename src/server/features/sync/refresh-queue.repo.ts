import { type Selectable, sql } from 'kysely';
import { anyIdOf, type Executor } from '#server/db/database.ts';
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

/** Deletes what is left of the queue in these funnels; null: all of it. */
export async function deleteQueue(tx: Executor, funnelIds: readonly number[] | null = null): Promise<void> {
  await tx
    .deleteFrom('queued_refresh')
    .$if(funnelIds !== null, (query) => query.where('funnel_id', '=', anyIdOf(funnelIds ?? [])))
    .execute();
}

/** The funnels of a queue in their order: those whose runs have started, then those that wait. */
export async function listQueueFunnels(db: Executor, queueId: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT funnel_id AS id FROM (
      SELECT funnel_id, queue_position AS position FROM sync_run WHERE queue_id = ${queueId}
      UNION ALL SELECT funnel_id, position FROM queued_refresh WHERE queue_id = ${queueId}
    ) AS places ORDER BY position
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** The runs of a queue that have started, in their order, in these funnels; null: in all. */
export const listQueueRuns = (db: Executor, queueId: string, funnelIds: readonly number[] | null) =>
  db
    .selectFrom('sync_run')
    .select(['funnel_id', 'error', 'error_dismissed', 'processed', 'new_count', 'updated_count'])
    .where('queue_id', '=', queueId)
    .$if(funnelIds !== null, (query) => query.where('funnel_id', '=', anyIdOf(funnelIds ?? [])))
    .orderBy('queue_position')
    .execute();
