import {
  listAutomations,
  openWebhook,
  renewWebhook,
  resumeAutomation,
  setSigningSecret,
} from '#contracts/automation.ts';
import type { App } from '#server/http/app.ts';
import { route } from '#server/http/route.ts';
import type { Automations } from './automation.service.ts';
import type { Webhooks } from './webhooks.service.ts';

export function automationRoutes(app: App, automations: Automations, webhooks: Webhooks): void {
  route(app, listAutomations, () => automations.list());
  route(app, resumeAutomation, ({ params }) => automations.resume(params.id));
  route(app, openWebhook, ({ params }) => webhooks.openAddress(params.id));
  route(app, renewWebhook, ({ params }) => webhooks.renewAddress(params.id));
  route(app, setSigningSecret, ({ params, body }) => webhooks.setSigningSecret(params.id, body.signingSecret));
}
