import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageResponse, Moment, RowId, RowPath } from './fields.ts';
import { PUBLIC_EVENT_NAMES } from './public-events.ts';
import { MAX_WEBHOOK_URL_LENGTH } from './rules/limits.ts';

/** `slack` sends text, `teams` an Adaptive Card for a Workflows URL. */
export const WEBHOOK_FORMATS = ['json', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

const EVENTS_RULE = `must be one or more of ${PUBLIC_EVENT_NAMES.join(', ')}`;

export const NewOutgoingWebhook = z.object({
  /** Starts with https. URLs in private networks require ALLOW_PRIVATE_HOSTS. */
  url: z
    .string()
    .trim()
    .min(1, 'is required')
    .max(MAX_WEBHOOK_URL_LENGTH, `may have at most ${MAX_WEBHOOK_URL_LENGTH.toLocaleString('en-US')} characters`),
  events: z
    .array(z.enum(PUBLIC_EVENT_NAMES, EVENTS_RULE), EVENTS_RULE)
    .min(1, EVENTS_RULE)
    .transform((events) => PUBLIC_EVENT_NAMES.filter((name) => events.includes(name))),
  format: z.enum(WEBHOOK_FORMATS, { error: 'must be json, slack or teams' }),
  /** True: bodies also contain names, email addresses, titles and error messages. */
  includePersonalData: z.boolean(),
});
export type NewOutgoingWebhook = z.infer<typeof NewOutgoingWebhook>;

export const OutgoingWebhookForm = NewOutgoingWebhook.extend({ isActive: z.boolean() });
export type OutgoingWebhookForm = z.infer<typeof OutgoingWebhookForm>;

export const OutgoingWebhook = OutgoingWebhookForm.extend({
  id: z.int(),
  /** Null if no encryption key decrypts it. */
  url: z.string().nullable(),
  events: z.array(z.string()),
  createdAt: Moment,
  /** Since then, every attempt has failed. */
  failingSince: Moment.nullable(),
  /** When and why the product turned it off. */
  pausedAt: Moment.nullable(),
  pauseReason: z.string().nullable(),
  /** The number of pending deliveries. */
  pending: z.int(),
});
export type OutgoingWebhook = z.infer<typeof OutgoingWebhook>;

export const WebhookDelivery = z.object({
  id: z.int(),
  /** The header `webhook-id`, by which receivers recognize duplicates. */
  eventId: z.string(),
  type: z.string(),
  interviewId: z.string().nullable(),
  state: z.enum(['pending', 'delivered', 'failed']),
  createdAt: Moment,
  attempts: z.int(),
  attemptedAt: Moment.nullable(),
  /** Null unless the delivery is pending. */
  nextAttemptAt: Moment.nullable(),
  /** The body that is sent. */
  request: z.string(),
  /** The start of the response to the last attempt. Null without a response. */
  answer: z.object({ status: z.int(), body: z.string() }).nullable(),
  durationMs: z.int().nullable(),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const forAdministrators = { role: 'administrator', scope: null } as const;
export const DeliveryPath = z.object({ id: RowId, deliveryId: RowId });

export const listOutgoingWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhooks',
  summary: 'URLs to which the product reports events',
  ...forAdministrators,
  response: z.array(OutgoingWebhook),
});

export const createOutgoingWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks',
  summary: 'Adds a URL and returns its signing secret; no later call shows it again',
  ...forAdministrators,
  status: 201,
  body: NewOutgoingWebhook,
  response: OutgoingWebhook.extend({ secret: z.string() }),
});

export const updateOutgoingWebhook = endpoint({
  method: 'PUT',
  path: '/api/webhooks/:id',
  summary: 'Changes a webhook, and turns it on or off',
  ...forAdministrators,
  params: RowPath,
  body: OutgoingWebhookForm,
  response: OutgoingWebhook,
});

export const deleteOutgoingWebhook = endpoint({
  method: 'DELETE',
  path: '/api/webhooks/:id',
  summary: 'Deletes a webhook with its deliveries',
  ...forAdministrators,
  params: RowPath,
  response: MessageResponse,
});

export const replaceWebhookSecret = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/secret',
  summary: 'Replaces the signing secret. For 24 hours, deliveries are also signed with the former one',
  ...forAdministrators,
  params: RowPath,
  response: z.object({ secret: z.string() }),
});

export const testOutgoingWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/test',
  summary: 'Sends the event webhook.test, even while the webhook is off',
  ...forAdministrators,
  status: 202,
  params: RowPath,
  response: WebhookDelivery,
});

export const listWebhookDeliveries = endpoint({
  method: 'GET',
  path: '/api/webhooks/:id/deliveries',
  summary: 'The newest 100 deliveries of a webhook',
  ...forAdministrators,
  params: RowPath,
  response: z.array(WebhookDelivery),
});

export const retryWebhookDelivery = endpoint({
  method: 'POST',
  path: '/api/webhooks/:id/deliveries/:deliveryId/retry',
  summary: 'Sends a delivery again now, even while the webhook is off',
  ...forAdministrators,
  status: 202,
  params: DeliveryPath,
  response: WebhookDelivery,
});
