import { cancelBulkRun, checkBulkTarget, getBulkRun, startBulkRun } from '#contracts/bulk.ts';
import type { App } from '#server/http/app.ts';
import { route } from '#server/http/route.ts';
import type { Bulk } from './bulk.service.ts';

export function bulkRoutes(app: App, bulk: Bulk): void {
  route(app, startBulkRun, ({ body }) => bulk.startRun(body));
  route(app, checkBulkTarget, ({ body }) => bulk.check(body.target));
  route(app, getBulkRun, ({ params }) => bulk.report(params.id));
  route(app, cancelBulkRun, ({ params }) => bulk.cancelRun(params.id));
}
