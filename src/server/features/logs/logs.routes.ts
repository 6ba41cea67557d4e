import { getLog, listLogs } from '#contracts/logs.ts';
import type { App } from '#server/http/app.ts';
import { route } from '#server/http/route.ts';
import type { Logs } from './logs.service.ts';

export function logRoutes(app: App, logs: Logs): void {
  route(app, listLogs, ({ query }) => logs.list(query));
  route(app, getLog, ({ params }) => logs.find(params.id));
}
