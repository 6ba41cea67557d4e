import { getLog, listLogs } from '#contracts/logs.ts';
import type { App } from '#server/http/app.ts';
import { signedInUser } from '#server/http/guards/session-guard.ts';
import { route } from '#server/http/route.ts';
import type { Logs } from './logs.service.ts';

export function logRoutes(app: App, logs: Logs): void {
  route(app, listLogs, ({ query }, { request }) => logs.list(query, signedInUser(request)));
  route(app, getLog, ({ params }, { request }) => logs.find(params.id, signedInUser(request)));
}
