import { cancelBulkRun, checkBulkTarget, getBulkRun, startBulkRun } from '#contracts/bulk.ts';
import type { App } from '#server/http/app.ts';
import { publicOrigin } from '#server/http/guards/origin.ts';
import { missingScope, signedInUser } from '#server/http/guards/session-guard.ts';
import { route } from '#server/http/route.ts';
import { type Bulk, EDITS } from './bulk.service.ts';

export function bulkRoutes(app: App, bulk: Bulk): void {
  route(app, startBulkRun, ({ body }, { request }) => {
    const { scopes } = signedInUser(request);
    // The endpoint requires `process`, for all actions.
    if (EDITS.has(body.action) && scopes?.includes('write') === false) throw missingScope('write');
    return bulk.startRun(body, publicOrigin(request));
  });
  route(app, checkBulkTarget, ({ body }) => bulk.check(body.target));
  route(app, getBulkRun, ({ params }) => bulk.report(params.id));
  route(app, cancelBulkRun, ({ params }) => bulk.cancelRun(params.id));
}
