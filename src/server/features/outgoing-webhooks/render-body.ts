import type { WebhookFormat } from '#contracts/outgoing-webhooks.ts';
import { sentenceOf } from './event-texts.ts';
import type { DeliveryRow } from './webhook-deliveries.repo.ts';

/** Renders the body of a delivery. `origin` is the product's URL, if known. */
export function renderBody(event: DeliveryRow, format: WebhookFormat, origin: string | null): string {
  const { event_id: id, type, created_at: createdAt, actor } = event;
  const link = origin === null ? undefined : origin + pathOf(event);
  if (format === 'slack') return JSON.stringify(slackText(event, link));
  if (format === 'teams') return JSON.stringify(teamsMessage(event, link));
  const data = { ...event.data, ...(link !== undefined && { link }) };
  return JSON.stringify({ id, type, createdAt: createdAt.toISOString(), actor, data });
}

function pathOf({ type, data: { interviewId } }: DeliveryRow): string {
  if (type.startsWith('share.')) return '/links';
  if (typeof interviewId === 'string') return `/?interview=${encodeURIComponent(interviewId)}`;
  return type.startsWith('refresh.') ? '/system-logs?type=refresh' : '/webhooks';
}

/** Escapes links, mentions and commands (docs.slack.dev, "Escaping text"). */
const escapeSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const slackText = (event: DeliveryRow, link: string | undefined) => ({
  text: escapeSlack(sentenceOf(event)) + (link === undefined ? '' : ` <${link}|Open>`),
});

/** Cards render Markdown. Text from outside must not become a link. */
const escapeMarkdown = (text: string) => text.replace(/[\\`*_[\]()#<>~!|]/g, '\\$&');

/** The format of the workflow "Post to a channel when a webhook request is received". */
const teamsMessage = (event: DeliveryRow, link: string | undefined) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [{ type: 'TextBlock', text: escapeMarkdown(sentenceOf(event)), wrap: true }],
        ...(link !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }] }),
      },
    },
  ],
});
