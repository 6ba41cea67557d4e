import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';

const entry = (
  action: NewLogEntry['action'],
  { funnelId, name }: { funnelId: number; name: string },
  summary: string,
): NewLogEntry => ({ action, summary, metadata: { funnelId, name } });

export const revealedWebhookEntry = (funnel: EventData<'webhook.revealed'>): NewLogEntry => ({
  ...entry('reveal-webhook', funnel, `The webhook address of funnel "${funnel.name}" was revealed.`),
  status: 'info',
});

export const createdWebhookEntry = (funnel: EventData<'webhook.created'>): NewLogEntry =>
  entry('create-webhook', funnel, `A webhook address was created for funnel "${funnel.name}".`);

export const storedSecretEntry = (funnel: EventData<'webhook.signing-secret-stored'>): NewLogEntry =>
  entry('create-webhook', funnel, `The signing secret of the webhook was stored for funnel "${funnel.name}".`);

const REFUSALS = {
  'unknown-address': 'its address is unknown',
  'no-signing-secret': 'its funnel has no signing secret',
  'wrong-signature': 'its signature is wrong',
} as const;

/** The actor of the entry is the sender of the last refused event. */
export const refusedEventsEntry = ({ cause, count }: EventData<'webhook-events.refused'>): NewLogEntry => ({
  type: 'error',
  action: 'refused-event',
  status: 'warning',
  summary: `Rejected a webhook event: ${REFUSALS[cause]}.`,
  metadata: { refused: count },
});
