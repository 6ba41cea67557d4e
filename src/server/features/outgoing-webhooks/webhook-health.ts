import type { Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { DeliveryResult } from './delivery-claims.repo.ts';
import {
  lockUnhealthy,
  type OutgoingWebhookRow,
  pauseWebhook,
  updateFailing,
  updateWebhook,
  WORKING,
} from './outgoing-webhooks.repo.ts';
import { brakeMs, type DeliveryRetry } from './retry-plan.ts';
import { GONE } from './send-delivery.ts';

interface HealthDeps {
  events: Events;
  retry: DeliveryRetry;
}

/**
 * Slows down failing webhooks, and pauses them after a long time. Call it before storing results,
 * to acquire locks in the same order as administrators: the webhook first, then its deliveries.
 */
export async function recordHealth(tx: Executor, deps: HealthDeps, results: readonly DeliveryResult[]): Promise<void> {
  const idsOf = (some: readonly DeliveryResult[]) => [...new Set(some.map(({ webhookId }) => webhookId))];
  const working = idsOf(results.filter(({ state }) => state === 'delivered'));
  const failed = idsOf(results).filter((id) => !working.includes(id));
  for (const webhook of await lockUnhealthy(tx, { failed, working }))
    if (working.includes(webhook.id)) await updateWebhook(tx, webhook.id, WORKING);
    else if (webhook.is_active)
      await recordFailures(tx, deps, { webhook, failed: results.filter(({ webhookId }) => webhookId === webhook.id) });
}

async function recordFailures(
  tx: Executor,
  { events, retry }: HealthDeps,
  { webhook, failed }: { webhook: OutgoingWebhookRow; failed: readonly DeliveryResult[] },
): Promise<void> {
  const { id, host, failing_since: since } = webhook;
  const now = Date.now();
  const failures = webhook.failures + failed.length;
  await updateFailing(tx, id, { failures, resume_at: new Date(now + brakeMs(retry, failures)) });
  const reason = pauseReason(failed, since !== null && since.getTime() <= now - retry.pauseMs);
  if (reason === null) return;
  await pauseWebhook(tx, id, reason);
  await events.record(tx, 'outgoing-webhook.changed', { webhookId: id, host, change: 'paused', reason });
}

function pauseReason(failed: readonly DeliveryResult[], hasFailedForLong: boolean): string | null {
  if (failed.some(({ status }) => status === GONE)) return 'Its receiver responded with 410, which ends deliveries.';
  return hasFailedForLong ? `Every attempt failed for three days, the last one with: ${failed.at(-1)?.error}` : null;
}
