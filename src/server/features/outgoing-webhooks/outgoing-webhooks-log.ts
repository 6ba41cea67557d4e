import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';

type Change = EventData<'outgoing-webhook.changed'>['change'];

const CHANGES: Record<Change, (host: string) => string> = {
  created: (host) => `A webhook to ${host} was added.`,
  updated: (host) => `The webhook to ${host} was changed.`,
  deleted: (host) => `The webhook to ${host} was deleted.`,
  'secret-replaced': (host) => `The secret of the webhook to ${host} was replaced.`,
  paused: (host) => `The webhook to ${host} was paused.`,
};

export const changedOutgoingWebhookEntry = ({
  change,
  reason,
  ...webhook
}: EventData<'outgoing-webhook.changed'>): NewLogEntry => {
  const isPaused = change === 'paused';
  return {
    type: isPaused ? 'error' : 'system',
    action: isPaused ? 'pause-outgoing-webhook' : 'change-outgoing-webhook',
    status: isPaused ? 'warning' : 'success',
    summary: [CHANGES[change](webhook.host), reason].filter(Boolean).join(' '),
    metadata: { ...webhook, change },
  };
};
