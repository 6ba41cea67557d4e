import type { WebhookFormat } from '#contracts/outgoing-webhooks.ts';
import type { PublicEventName } from '#contracts/public-events.ts';

export const EVENT_LABELS: Record<PublicEventName, string> = {
  'interview.added': 'New interview',
  'interview.edited': 'Transcript or summary edited',
  'interview.archived': 'Interview archived',
  'interview.sent': 'Destination set',
  'step.completed': 'Step completed',
  'step.failed': 'Step failed',
  'refresh.completed': 'Refresh completed',
  'refresh.failed': 'Refresh failed or canceled',
  'review.submitted': 'Review submitted',
  'share.opened': 'Link opened',
  'share.decided': 'Client decided',
  'ats.sent': 'Sent to the ATS',
  'ats.failed': 'Sending to the ATS failed',
};

export const labelOfEvent = (type: string): string =>
  (EVENT_LABELS as Partial<Record<string, string>>)[type] ?? (type === 'webhook.test' ? 'Test' : type);

export const FORMAT_LABELS: Record<WebhookFormat, string> = {
  json: 'Signed JSON',
  slack: 'Slack',
  teams: 'Microsoft Teams',
};
