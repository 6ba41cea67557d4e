import type { FastifyRequest } from 'fastify';
import {
  activateFunnel,
  checkFunnel,
  createFunnel,
  deleteFunnel,
  getActiveFunnel,
  getFunnelContents,
  listFunnels,
  listPositions,
  revealApiKey,
  updateFunnel,
} from '#contracts/funnels.ts';
import { AttemptLimit } from '#server/attempt-limit.ts';
import type { App } from '#server/http/app.ts';
import { signedInUser } from '#server/http/guards/session-guard.ts';
import { route } from '#server/http/route.ts';
import type { Funnels } from './funnels.service.ts';
import { viewFunnelFor } from './funnels.view.ts';

/** An account could otherwise guess keys of the service, from the address of this server. */
const MAX_CHECKS_PER_MINUTE = 10;
const TOO_MANY_CHECKS = 'You have tested too many connections. Try again in a minute.';

export function funnelRoutes(app: App, funnels: Funnels): void {
  const checks = new AttemptLimit(MAX_CHECKS_PER_MINUTE, TOO_MANY_CHECKS);
  const countCheck = (request: FastifyRequest) => checks.spend(String(signedInUser(request).accountId));
  route(app, listFunnels, async (_input, { request }) => {
    const { role } = signedInUser(request);
    return (await funnels.list()).map((funnel) => viewFunnelFor(role, funnel));
  });
  route(app, getActiveFunnel, async (_input, { request }) => {
    const active = await funnels.findActive();
    return active && viewFunnelFor(signedInUser(request).role, active);
  });
  route(app, createFunnel, ({ body }) => funnels.create(body));
  route(app, updateFunnel, ({ params, body }) => funnels.update(params.id, body));
  route(app, deleteFunnel, ({ params }) => funnels.delete(params.id));
  route(app, getFunnelContents, ({ params }) => funnels.countContents(params.id));
  route(app, revealApiKey, ({ params }) => funnels.revealApiKey(params.id));
  route(app, checkFunnel, ({ body }, { request }) => {
    countCheck(request);
    return funnels.check(body);
  });
  route(app, listPositions, ({ body }, { request }) => {
    countCheck(request);
    return funnels.listPositions(body);
  });
  route(app, activateFunnel, ({ params }) => funnels.activate(params.id));
}
