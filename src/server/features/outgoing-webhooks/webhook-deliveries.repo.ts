import { type Selectable, sql } from 'kysely';
import type { PublicActor } from '#contracts/public-events.ts';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type DeliveryRow = Omit<Selectable<DB['webhook_delivery']>, 'actor' | 'data'> & {
  actor: PublicActor;
  data: Record<string, unknown>;
};

export const listDeliveries = (db: Executor, webhookId: number, limit: number): Promise<DeliveryRow[]> =>
  db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('id', 'desc')
    .limit(limit)
    .$castTo<DeliveryRow>()
    .execute();

/** A worker makes one attempt immediately, whatever the state of the webhook. */
export const insertTest = (
  tx: Executor,
  { webhookId, eventId, type, actor }: { webhookId: number; eventId: string; type: string; actor: PublicActor },
): Promise<DeliveryRow> =>
  tx
    .insertInto('webhook_delivery')
    .values({
      ...{ webhook_id: webhookId, event_id: eventId, type, is_forced: true },
      ...{ actor: JSON.stringify(actor), data: '{}' },
    })
    .returningAll()
    .$castTo<DeliveryRow>()
    .executeTakeFirstOrThrow();

/**
 * Returns undefined if the delivery does not exist. A process that is sending it keeps its claim.
 */
export const updateToRetry = (tx: Executor, { webhookId, deliveryId }: { webhookId: number; deliveryId: number }) =>
  tx
    .updateTable('webhook_delivery')
    .set({ state: 'pending', is_forced: true, due_at: sql<Date>`now()` })
    .where('id', '=', deliveryId)
    .where('webhook_id', '=', webhookId)
    .returningAll()
    .$castTo<DeliveryRow>()
    .executeTakeFirst();

export async function deleteDeliveriesBefore(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom('webhook_delivery').where('created_at', '<', before).execute();
}

interface ReportedItem {
  eventId: string;
  data: object;
  personal: object;
}

/**
 * Inserts deliveries for all items and all active webhooks that subscribe to the type, in one
 * statement. Returns false if no webhook does.
 */
export async function insertDeliveries(
  tx: Executor,
  { type, actor, reported }: { type: string; actor: PublicActor; reported: readonly ReportedItem[] },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    WITH item AS (
      SELECT n, value ->> 'eventId' AS event_id, value -> 'data' ->> 'interviewId' AS interview_id, value -> 'data' AS data, value -> 'personal' AS personal
      FROM jsonb_array_elements(${JSON.stringify(reported)}::jsonb) WITH ORDINALITY AS element (value, n)
    )
    INSERT INTO webhook_delivery (webhook_id, event_id, type, interview_id, actor, data)
    SELECT w.id, item.event_id::uuid, ${type}, i.id, ${JSON.stringify(actor)}::jsonb,
           CASE WHEN i.id IS NULL THEN item.data ELSE jsonb_build_object('funnelId', i.funnel_id) || item.data END ||
           CASE WHEN NOT w.includes_personal_data THEN '{}'
                WHEN i.id IS NULL THEN item.personal
                ELSE item.personal || jsonb_build_object('title', i.title, 'candidate', jsonb_strip_nulls(jsonb_build_object('name', i.candidate_name, 'email', i.candidate_email)))
           END
    FROM outgoing_webhook AS w CROSS JOIN item LEFT JOIN interview AS i ON i.id = item.interview_id
    WHERE w.is_active AND ${type} = ANY (w.events)
    ORDER BY item.n, w.id
  `.execute(tx);
  return numAffectedRows > 0n;
}
