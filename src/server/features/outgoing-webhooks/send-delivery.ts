import { Webhook } from 'standardwebhooks';
import type { WebhookFormat } from '#contracts/outgoing-webhooks.ts';
import { TEST_EVENT } from '#contracts/public-events.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import type { WebhookResponse, WebhookSender } from '#server/ports/webhook-sender.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import type { DeliveryResult } from './delivery-claims.repo.ts';
import type { OutgoingWebhookRow } from './outgoing-webhooks.repo.ts';
import { renderBody } from './render-body.ts';
import { type DeliveryRetry, nextAttempt } from './retry-plan.ts';
import type { DeliveryRow } from './webhook-deliveries.repo.ts';
import { findSecrets, URL_CONTEXT } from './webhook-secrets.ts';

interface SendDeps {
  sender: Pick<WebhookSender, 'send'>;
  origin: string | null;
  retry: DeliveryRetry;
}

/** A webhook with its decrypted URL and secrets. */
export interface Receiver {
  webhook: OutgoingWebhookRow;
  /** Null if no encryption key decrypts the URL or the secret. */
  target: { url: string; signers: readonly Webhook[] } | null;
}

export function openReceiver(sealer: Sealer, webhook: OutgoingWebhookRow): Receiver {
  const url = sealer.open(webhook.url_sealed, URL_CONTEXT);
  const secrets = findSecrets(sealer, webhook, Date.now());
  const isReadable = url !== null && secrets !== null;
  return { webhook, target: isReadable ? { url, signers: secrets.map((secret) => new Webhook(secret)) } : null };
}

const UNREADABLE =
  'No encryption key decrypts the URL and the secret of this webhook. Enter the URL again and replace the secret.';

/** Standard Webhooks defines 410 as "stop sending". */
export const GONE = 410;

/** Makes one attempt. @throws the reason of an aborted signal */
export async function sendDelivery(
  deps: SendDeps,
  { receiver, row }: { receiver: Receiver; row: DeliveryRow },
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const attemptedAt = new Date();
  const response = await call(deps, { receiver, row }, signal);
  const now = Date.now();
  const error = typeof response === 'string' ? response : problemOf(response.status);
  const { status = null, body = null, retryAfterSeconds = null } = typeof response === 'string' ? {} : response;
  const attempt = { attempts: row.attempts + 1, createdAt: row.created_at, retryAfterSeconds };
  const isOver = error === null || row.type === TEST_EVENT || status === GONE;
  const dueAt = isOver ? null : nextAttempt(deps.retry, attempt, now);
  return {
    ...{ id: row.id, webhookId: row.webhook_id, dueAt, attemptedAt, durationMs: now - attemptedAt.getTime() },
    ...{ state: error === null ? 'delivered' : dueAt ? 'pending' : 'failed', status, answer: body, error },
  };
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const isRedirect = status >= 300 && status < 400;
  return `The receiver responded with ${status}${isRedirect ? ', a redirect, which is never followed' : ''}.`;
}

/** Returns the reason if no response arrives. */
async function call(
  { sender, origin }: SendDeps,
  { receiver: { webhook, target }, row }: { receiver: Receiver; row: DeliveryRow },
  signal: AbortSignal,
): Promise<WebhookResponse | string> {
  if (target === null) return UNREADABLE;
  const { url, signers } = target;
  const body = renderBody(row, webhook.format as WebhookFormat, origin);
  try {
    return await sender.send({ url, headers: headersOf(row.event_id, body, signers), body }, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof UpstreamError)) throw error;
    return error.message;
  }
}

/** The headers of Standard Webhooks. Receivers accept any of several signatures. */
function headersOf(id: string, body: string, signers: readonly Webhook[]): Record<string, string> {
  const timestamp = new Date();
  return {
    'content-type': 'application/json',
    'user-agent': 'video-interview-management',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1_000)),
    'webhook-signature': signers.map((signer) => signer.sign(id, timestamp, body)).join(' '),
  };
}
