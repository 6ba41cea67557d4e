import { type Selectable, sql, type UpdateObject } from 'kysely';
import type { WebhookFormat } from '#contracts/outgoing-webhooks.ts';
import type { PublicEventName } from '#contracts/public-events.ts';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type OutgoingWebhookRow = Selectable<DB['outgoing_webhook']>;

/** The columns of a webhook whose attempts succeed. */
export const WORKING = { failures: 0, failing_since: null, resume_at: null };

export interface WebhookColumns {
  url_sealed: Buffer;
  host: string;
  events: PublicEventName[];
  format: WebhookFormat;
  includes_personal_data: boolean;
}

/** Includes the number of pending deliveries. */
export const listWebhooks = (db: Executor) =>
  db
    .selectFrom('outgoing_webhook')
    .selectAll()
    .select(
      sql<number>`(SELECT count(*)::int FROM webhook_delivery WHERE webhook_id = outgoing_webhook.id AND state = 'pending')`.as(
        'pending',
      ),
    )
    .orderBy('id')
    .execute();

export const findWebhook = (db: Executor, id: number): Promise<OutgoingWebhookRow | undefined> =>
  db.selectFrom('outgoing_webhook').selectAll().where('id', '=', id).executeTakeFirst();

export const lockWebhook = (tx: Executor, id: number): Promise<OutgoingWebhookRow | undefined> =>
  tx.selectFrom('outgoing_webhook').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

/** Serializes concurrent additions, so that the limit holds. */
export const lockAllWebhooks = async (tx: Executor): Promise<OutgoingWebhookRow[]> => {
  await sql`LOCK TABLE outgoing_webhook IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
  return await tx.selectFrom('outgoing_webhook').selectAll().orderBy('id').execute();
};

export const insertWebhook = (tx: Executor, row: WebhookColumns & { secret_sealed: Buffer }) =>
  tx.insertInto('outgoing_webhook').values(row).returningAll().executeTakeFirstOrThrow();

export async function updateWebhook(
  tx: Executor,
  id: number,
  changes: UpdateObject<DB, 'outgoing_webhook'>,
): Promise<void> {
  await tx.updateTable('outgoing_webhook').set(changes).where('id', '=', id).execute();
}

export const deleteWebhook = (tx: Executor, id: number): Promise<{ host: string } | undefined> =>
  tx.deleteFrom('outgoing_webhook').where('id', '=', id).returning('host').executeTakeFirst();

/** Locks webhooks that failed now, or that work again after failures, in id order. */
export const lockUnhealthy = (
  tx: Executor,
  { failed, working }: { failed: readonly number[]; working: readonly number[] },
): Promise<OutgoingWebhookRow[]> =>
  tx
    .selectFrom('outgoing_webhook')
    .selectAll()
    .where(sql<boolean>`id = ANY(${failed}::int[]) OR (id = ANY(${working}::int[]) AND failing_since IS NOT NULL)`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

export const updateFailing = (tx: Executor, id: number, columns: { failures: number; resume_at: Date }) =>
  updateWebhook(tx, id, { ...columns, failing_since: sql<Date>`coalesce(failing_since, now())` });

export const pauseWebhook = (tx: Executor, id: number, reason: string) =>
  updateWebhook(tx, id, { is_active: false, paused_at: sql<Date>`now()`, pause_reason: reason });
