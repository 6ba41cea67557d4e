import {
  createShares,
  getShareDefaults,
  listShares,
  previewShare,
  renewShareLink,
  updateShare,
} from '#contracts/shares.ts';
import type { App } from '#server/http/app.ts';
import { publicOrigin } from '#server/http/guards/origin.ts';
import type { ReadQuota } from '#server/http/guards/read-quota.ts';
import { route } from '#server/http/route.ts';
import type { NewShare } from './new-share.service.ts';
import type { Shares } from './shares.service.ts';

interface ShareServices {
  shares: Shares;
  newShare: NewShare;
}

export function shareRoutes(app: App, { shares, newShare }: ShareServices, quota: ReadQuota): void {
  route(app, createShares, async ({ body }, { request }) => {
    const linkTo = (token: string) => linkOf(publicOrigin(request), token);
    return (await shares.create(body, linkTo)).map(({ token, ...share }) => ({ ...share, link: linkTo(token) }));
  });
  route(app, listShares, ({ query }) => shares.list(query));
  route(app, previewShare, async ({ body }, { request }) => {
    const isRead = body.shows.transcript || body.shows.summary;
    await quota.spend(request, isRead ? body.interviewIds.map((id) => ({ kind: 'text', id })) : []);
    return newShare.preview(body);
  });
  route(app, getShareDefaults, ({ query }) => newShare.findDefaults(query.interviewId));
  route(app, updateShare, ({ params, body }) => shares.update(params.id, body));
  route(app, renewShareLink, async ({ params }, { request }) => ({
    link: linkOf(publicOrigin(request), await shares.renewLink(params.id)),
  }));
}

const linkOf = (origin: string, token: string) => `${origin}/s/${token}`;
