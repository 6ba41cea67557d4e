import {
  createOutgoingWebhook,
  deleteOutgoingWebhook,
  listOutgoingWebhooks,
  listWebhookDeliveries,
  replaceWebhookSecret,
  retryWebhookDelivery,
  testOutgoingWebhook,
  updateOutgoingWebhook,
} from '#contracts/outgoing-webhooks.ts';
import type { App } from '#server/http/app.ts';
import { route } from '#server/http/route.ts';
import type { OutgoingWebhooks } from './outgoing-webhooks.service.ts';

export function outgoingWebhookRoutes(app: App, webhooks: OutgoingWebhooks): void {
  route(app, listOutgoingWebhooks, () => webhooks.list());
  route(app, createOutgoingWebhook, ({ body }) => webhooks.create(body));
  route(app, updateOutgoingWebhook, ({ params, body }) => webhooks.update(params.id, body));
  route(app, deleteOutgoingWebhook, async ({ params }) => {
    await webhooks.delete(params.id);
    return { message: 'Webhook deleted' };
  });
  route(app, replaceWebhookSecret, async ({ params }) => ({ secret: await webhooks.replaceSecret(params.id) }));
  route(app, testOutgoingWebhook, ({ params }) => webhooks.sendTest(params.id));
  route(app, listWebhookDeliveries, ({ params }) => webhooks.listDeliveries(params.id));
  route(app, retryWebhookDelivery, ({ params }) => webhooks.retry(params.id, params.deliveryId));
}
