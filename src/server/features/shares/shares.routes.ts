import { createShares, listShares, renewShareLink, updateShare } from '#contracts/shares.ts';
import type { App } from '#server/http/app.ts';
import { publicOrigin } from '#server/http/guards/origin.ts';
import { route } from '#server/http/route.ts';
import type { Shares } from './shares.service.ts';

export function shareRoutes(app: App, shares: Shares): void {
  route(app, createShares, async ({ body }, { request }) => {
    const linkTo = (token: string) => linkOf(publicOrigin(request), token);
    return (await shares.create(body, linkTo)).map(({ token, ...share }) => ({ ...share, link: linkTo(token) }));
  });
  route(app, listShares, ({ query }) => shares.list(query));
  route(app, updateShare, ({ params, body }) => shares.update(params.id, body));
  route(app, renewShareLink, async ({ params }, { request }) => ({
    link: linkOf(publicOrigin(request), await shares.renewLink(params.id)),
  }));
}

const linkOf = (origin: string, token: string) => `${origin}/s/${token}`;
