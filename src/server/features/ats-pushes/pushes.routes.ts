import { getAtsPush, sendToAts } from '#contracts/ats-pushes.ts';
import type { App } from '#server/http/app.ts';
import { publicOrigin } from '#server/http/guards/origin.ts';
import type { ReadQuota } from '#server/http/guards/read-quota.ts';
import { route } from '#server/http/route.ts';
import type { AtsPushes } from './pushes.service.ts';

export function atsPushRoutes(app: App, pushes: AtsPushes, quota: ReadQuota): void {
  route(app, getAtsPush, async ({ params: { id }, query }, { request }) => {
    await quota.spend(request, [{ kind: 'text', id }]);
    return pushes.find(id, query.shareId ?? null, publicOrigin(request));
  });
  route(app, sendToAts, ({ params, body }, { request }) => pushes.send(params.id, body, publicOrigin(request)));
}
