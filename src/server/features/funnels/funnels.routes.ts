import {
  activateFunnel,
  checkFunnel,
  createFunnel,
  deleteFunnel,
  getActiveFunnel,
  listFunnels,
  listPositions,
  revealApiKey,
  updateFunnel,
} from '#contracts/funnels.ts';
import type { App } from '#server/http/app.ts';
import { route } from '#server/http/route.ts';
import type { Funnels } from './funnels.service.ts';

export function funnelRoutes(app: App, funnels: Funnels): void {
  route(app, listFunnels, () => funnels.list());
  route(app, getActiveFunnel, () => funnels.findActive());
  route(app, createFunnel, ({ body }) => funnels.create(body));
  route(app, updateFunnel, ({ params, body }) => funnels.update(params.id, body));
  route(app, deleteFunnel, ({ params }) => funnels.delete(params.id));
  route(app, revealApiKey, ({ params }) => funnels.revealApiKey(params.id));
  route(app, checkFunnel, ({ body }) => funnels.check(body));
  route(app, listPositions, ({ body }) => funnels.listPositions(body));
  route(app, activateFunnel, ({ params }) => funnels.activate(params.id));
}
