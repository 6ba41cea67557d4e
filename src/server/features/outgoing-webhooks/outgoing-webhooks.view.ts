import type { OutgoingWebhook, WebhookDelivery, WebhookFormat } from '#contracts/outgoing-webhooks.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import type { OutgoingWebhookRow } from './outgoing-webhooks.repo.ts';
import { renderBody } from './render-body.ts';
import type { DeliveryRow } from './webhook-deliveries.repo.ts';
import { URL_CONTEXT } from './webhook-secrets.ts';

export const viewWebhook = (row: OutgoingWebhookRow & { pending?: number }, sealer: Sealer): OutgoingWebhook => ({
  id: row.id,
  url: sealer.open(row.url_sealed, URL_CONTEXT),
  events: row.events,
  format: row.format as WebhookFormat,
  includePersonalData: row.includes_personal_data,
  isActive: row.is_active,
  createdAt: row.created_at.toISOString(),
  failingSince: row.failing_since?.toISOString() ?? null,
  pausedAt: row.paused_at?.toISOString() ?? null,
  pauseReason: row.pause_reason,
  pending: row.pending ?? 0,
});

export const viewDelivery = (row: DeliveryRow, format: WebhookFormat, origin: string | null): WebhookDelivery => ({
  id: row.id,
  eventId: row.event_id,
  type: row.type,
  interviewId: row.interview_id,
  state: row.state as WebhookDelivery['state'],
  createdAt: row.created_at.toISOString(),
  attempts: row.attempts,
  attemptedAt: row.attempted_at?.toISOString() ?? null,
  nextAttemptAt: row.state === 'pending' ? row.due_at.toISOString() : null,
  request: renderBody(row, format, origin),
  answer: row.status === null ? null : { status: row.status, body: row.answer ?? '' },
  durationMs: row.duration_ms,
  error: row.error,
});
