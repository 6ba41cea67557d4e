import { sql } from 'kysely';
import { PERSONAL_FIELDS } from '#contracts/public-events.ts';
import type { Executor } from '#server/db/database.ts';
import type { DeliveryRow } from './webhook-deliveries.repo.ts';

/** A process must renew its claim of deliveries within this time. */
const CLAIM_SECONDS = 30;
const claimEnd = sql`now() + make_interval(secs => ${CLAIM_SECONDS})`;

/** A condition on `outgoing_webhook AS w`. */
const mayBeCalled = sql`w.is_active AND (w.resume_at IS NULL OR w.resume_at <= now())`;
/** A condition on `webhook_delivery AS d`. */
const isDue = sql`d.state = 'pending' AND d.due_at <= now() AND (d.claimed_until IS NULL OR d.claimed_until < now())`;
/** True if `webhook_delivery AS d` is the oldest pending delivery of its interview. */
const isFirst = sql`NOT EXISTS (
  SELECT FROM webhook_delivery AS e
  WHERE e.webhook_id = d.webhook_id AND e.interview_id = d.interview_id AND e.id < d.id AND e.state = 'pending'
)`;

/** Lists webhooks with deliveries that may be sent now. */
export async function listDueWebhooks(db: Executor): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT w.id FROM outgoing_webhook AS w
    WHERE ${mayBeCalled} AND EXISTS (SELECT FROM webhook_delivery AS d WHERE d.webhook_id = w.id AND ${isDue})
       OR EXISTS (SELECT FROM webhook_delivery AS d WHERE d.webhook_id = w.id AND d.is_forced AND ${isDue})
  `.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Claims due deliveries, but for each interview only the oldest pending one. Concurrent processes
 * claim different deliveries. Removes personal data that the webhook may no longer receive.
 */
export async function claimDeliveries(
  db: Executor,
  { webhookId, claim, limit }: { webhookId: number; claim: string; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    UPDATE webhook_delivery AS claimed SET claim = ${claim}, claimed_until = ${claimEnd},
      data = CASE WHEN receiver.includes_personal_data THEN data ELSE data - ${PERSONAL_FIELDS}::text[] END
    FROM outgoing_webhook AS receiver
    WHERE receiver.id = claimed.webhook_id AND claimed.id IN (
      SELECT d.id FROM webhook_delivery AS d JOIN outgoing_webhook AS w ON w.id = d.webhook_id
      WHERE d.webhook_id = ${webhookId} AND ${isDue} AND (d.is_forced OR ${mayBeCalled})
        AND ${isFirst}
      ORDER BY d.due_at, d.id LIMIT ${limit} FOR UPDATE OF d SKIP LOCKED
    )
    RETURNING claimed.*
  `.execute(db);
  return rows.toSorted((a, b) => a.id - b.id);
}

export async function renewClaims(db: Executor, claim: string, ids: readonly number[]): Promise<void> {
  await sql`UPDATE webhook_delivery SET claimed_until = ${claimEnd} WHERE id = ANY(${ids}::int[]) AND claim = ${claim}`.execute(
    db,
  );
}

/** Lets other processes send the deliveries immediately. */
export async function releaseClaims(db: Executor, claim: string, ids: readonly number[]): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ claim: null, claimed_until: null })
    .where('id', '=', sql<number>`ANY(${ids}::int[])`)
    .where('claim', '=', claim)
    .execute();
}

/** Call it only when no other process uses the database. */
export async function releaseAllClaims(db: Executor): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ claim: null, claimed_until: null })
    .where('state', '=', 'pending')
    .where('claim', 'is not', null)
    .execute();
}

export interface DeliveryDepth {
  /** Pending deliveries, including ones of webhooks that are off. */
  waiting: number;
  /** The longest time for which a delivery that may be sent now has been due. */
  oldestSeconds: number;
  /** The longest time for which all attempts of an active webhook have failed. */
  failingSeconds: number;
}

/** A delivery is not due while an earlier one of its interview is pending. */
export async function readDepth(db: Executor): Promise<DeliveryDepth> {
  const { rows } = await sql<DeliveryDepth>`
    SELECT coalesce(sum(pending.count), 0)::float8 AS waiting,
      coalesce(max(extract(epoch FROM now() - oldest.due_at)), 0)::float8 AS "oldestSeconds",
      coalesce(max(extract(epoch FROM now() - w.failing_since)) FILTER (WHERE w.is_active), 0)::float8 AS "failingSeconds"
    FROM outgoing_webhook AS w
    CROSS JOIN LATERAL (
      SELECT count(*) FROM webhook_delivery AS d WHERE d.webhook_id = w.id AND d.state = 'pending'
    ) AS pending
    LEFT JOIN LATERAL (
      SELECT d.due_at FROM webhook_delivery AS d
      WHERE d.webhook_id = w.id AND d.state = 'pending' AND d.due_at <= now() AND ${mayBeCalled} AND ${isFirst}
      ORDER BY d.due_at, d.id LIMIT 1
    ) AS oldest ON true
  `.execute(db);
  return rows[0] ?? { waiting: 0, oldestSeconds: 0, failingSeconds: 0 };
}

export interface DeliveryResult {
  id: number;
  webhookId: number;
  state: 'pending' | 'delivered' | 'failed';
  /** When to retry a pending delivery. */
  dueAt: Date | null;
  attemptedAt: Date;
  durationMs: number;
  status: number | null;
  answer: string | null;
  error: string | null;
}

/** Stores the results of this process. Drops results whose claim now belongs to another process. */
export async function updateResults(tx: Executor, claim: string, results: readonly DeliveryResult[]): Promise<void> {
  await sql`
    UPDATE webhook_delivery AS d
    SET state = r.state, due_at = coalesce(r."dueAt", d.due_at), is_forced = false, claim = NULL, claimed_until = NULL,
        attempts = d.attempts + 1, attempted_at = r."attemptedAt", duration_ms = r."durationMs", status = r.status,
        answer = r.answer, error = r.error
    FROM jsonb_to_recordset(${JSON.stringify(results)}::jsonb) AS r (
      id int, state text, "dueAt" timestamptz, "attemptedAt" timestamptz, "durationMs" int, status int, answer text, error text
    )
    WHERE d.id = r.id AND d.claim = ${claim}
  `.execute(tx);
}
