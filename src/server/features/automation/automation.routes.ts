import { listAutomations, resumeAutomation } from '#contracts/automation.ts';
import type { App } from '#server/http/app.ts';
import { route } from '#server/http/route.ts';
import type { Automations } from './automation.service.ts';

export function automationRoutes(app: App, automations: Automations): void {
  route(app, listAutomations, () => automations.list());
  route(app, resumeAutomation, ({ params }) => automations.resume(params.id));
}
