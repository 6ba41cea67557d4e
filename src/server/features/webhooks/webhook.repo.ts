import { type Selectable, sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type WebhookRow = Selectable<DB['webhook']>;

export const findWebhook = (db: Executor, funnelId: number): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhook').selectAll().where('funnel_id', '=', funnelId).executeTakeFirst();

export const findWebhookByHash = (db: Executor, secretHash: Buffer): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhook').selectAll().where('secret_hash', '=', secretHash).executeTakeFirst();

/** Replaces the secret of the webhook and keeps everything else. */
export const upsertSecret = (
  tx: Executor,
  funnelId: number,
  secret: { secret_hash: Buffer; secret_sealed: Buffer },
): Promise<WebhookRow> =>
  tx
    .insertInto('webhook')
    .values({ funnel_id: funnelId, ...secret })
    .onConflict((conflict) => conflict.column('funnel_id').doUpdateSet(secret))
    .returningAll()
    .executeTakeFirstOrThrow();

export const updateSealed = (
  tx: Executor,
  funnelId: number,
  sealed: Partial<Pick<WebhookRow, 'secret_sealed' | 'signing_sealed'>>,
): Promise<WebhookRow> =>
  tx.updateTable('webhook').set(sealed).where('funnel_id', '=', funnelId).returningAll().executeTakeFirstOrThrow();

export const lockWebhooks = (tx: Executor): Promise<WebhookRow[]> =>
  tx.selectFrom('webhook').selectAll().orderBy('funnel_id').forNoKeyUpdate().execute();

/** Counts received events and returns the number of this day. */
export async function countEvents(
  tx: Executor,
  funnelId: number,
  { received, today }: { received: number; today: string },
): Promise<number> {
  const row = await tx
    .updateTable('webhook')
    .set({
      last_event_at: sql<Date>`now()`,
      counted_on: today,
      event_count: sql<number>`CASE WHEN counted_on = ${today} THEN event_count ELSE 0 END + ${received}::int`,
    })
    .where('funnel_id', '=', funnelId)
    .returning('event_count')
    .executeTakeFirst();
  return row?.event_count ?? 0;
}

/** Returns the hashes that were not stored before. */
export async function insertEvents(
  tx: Executor,
  funnelId: number,
  eventHashes: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ hash: string }>`
    INSERT INTO webhook_event (funnel_id, event_hash)
    SELECT DISTINCT ${funnelId}::int, decode(hash, 'hex') FROM unnest(${eventHashes.map(toHex)}::text[]) AS hash
    ON CONFLICT DO NOTHING RETURNING encode(event_hash, 'hex') AS hash
  `.execute(tx);
  return new Set(rows.map(({ hash }) => hash));
}

export const toHex = (hash: Buffer): string => hash.toString('hex');

export async function deleteEventsBefore(db: Executor, moment: Date): Promise<void> {
  await db.deleteFrom('webhook_event').where('received_at', '<', moment).execute();
}
