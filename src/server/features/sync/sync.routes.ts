import { cancelSync, dismissSyncError, startSync, syncStatus } from '#contracts/sync.ts';
import type { App } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import type { Sync } from './sync.service.ts';

export function syncRoutes(app: App, sync: Sync): void {
  route(app, startSync, ({ query }) => sync.start(query.timeframe));
  route(app, syncStatus, () => sync.status());
  route(app, cancelSync, () => sync.cancel());
  route(app, dismissSyncError, () => sync.dismissError());
}
