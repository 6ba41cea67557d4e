import { type Selectable, sql } from 'kysely';
import type { WebhookFormat } from '#contracts/outgoing-webhooks.ts';
import type { PublicEventName } from '#contracts/public-events.ts';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type OutgoingWebhookRow = Selectable<DB['outgoing_webhook']>;

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

export const insertWebhook = (
  tx: Executor,
  row: WebhookColumns & { secret_sealed: Buffer },
): Promise<OutgoingWebhookRow> =>
  tx.insertInto('outgoing_webhook').values(row).returningAll().executeTakeFirstOrThrow();

/** Turning a webhook on clears the reason for its pause. */
export async function updateWebhook(
  tx: Executor,
  id: number,
  { is_active, ...columns }: WebhookColumns & { is_active: boolean },
): Promise<void> {
  const running = { failures: 0, failing_since: null, resume_at: null, paused_at: null, pause_reason: null };
  await tx
    .updateTable('outgoing_webhook')
    .set({ ...columns, is_active, ...(is_active && running) })
    .where('id', '=', id)
    .execute();
}

export async function updateSecret(tx: Executor, id: number, sealed: Buffer, formerUntil: Date): Promise<void> {
  await tx
    .updateTable('outgoing_webhook')
    .set({ former_secret_sealed: sql`secret_sealed`, former_secret_until: formerUntil, secret_sealed: sealed })
    .where('id', '=', id)
    .execute();
}

export async function updateSealed(
  tx: Executor,
  id: number,
  sealed: Pick<OutgoingWebhookRow, 'url_sealed' | 'secret_sealed' | 'former_secret_sealed'>,
): Promise<void> {
  await tx.updateTable('outgoing_webhook').set(sealed).where('id', '=', id).execute();
}

export async function deleteWebhook(tx: Executor, id: number): Promise<string | null> {
  const row = await tx.deleteFrom('outgoing_webhook').where('id', '=', id).returning('host').executeTakeFirst();
  return row?.host ?? null;
}

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

export async function updateFailing(
  tx: Executor,
  id: number,
  { failures, resumeAt }: { failures: number; resumeAt: Date },
): Promise<void> {
  await tx
    .updateTable('outgoing_webhook')
    .set({ failures, resume_at: resumeAt, failing_since: sql<Date>`coalesce(failing_since, now())` })
    .where('id', '=', id)
    .execute();
}

/** Call it after a successful attempt. */
export async function updateWorking(tx: Executor, id: number): Promise<void> {
  await tx
    .updateTable('outgoing_webhook')
    .set({ failures: 0, failing_since: null, resume_at: null })
    .where('id', '=', id)
    .execute();
}

export async function pauseWebhook(tx: Executor, id: number, reason: string): Promise<void> {
  await tx
    .updateTable('outgoing_webhook')
    .set({ is_active: false, paused_at: sql<Date>`now()`, pause_reason: reason })
    .where('id', '=', id)
    .execute();
}
