import { cancelSync, dismissSyncError, getSyncStatus, startSync, startSyncOfAll } from '#contracts/sync.ts';
import type { App } from '#server/http/app.ts';
import { route } from '#server/http/route.ts';
import type { Sync } from './sync.service.ts';

export function syncRoutes(app: App, sync: Sync): void {
  route(app, startSync, ({ query }) => sync.startRefresh(query.timeframe));
  route(app, startSyncOfAll, () => sync.refreshAll());
  route(app, getSyncStatus, () => sync.status());
  route(app, cancelSync, () => sync.cancelRefresh());
  route(app, dismissSyncError, () => sync.dismissError());
}
