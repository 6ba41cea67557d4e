import { createSavedView, deleteSavedView, listSavedViews, renameSavedView } from '#contracts/saved-views.ts';
import type { App } from '#server/http/app.ts';
import { signedInUser } from '#server/http/guards/session-guard.ts';
import { route } from '#server/http/route.ts';
import type { SavedViews } from './saved-views.service.ts';

export function savedViewRoutes(app: App, views: SavedViews): void {
  route(app, listSavedViews, (_input, { request }) => views.list(signedInUser(request).accountId));
  route(app, createSavedView, ({ body }, { request }) => views.create(signedInUser(request).accountId, body));
  route(app, renameSavedView, ({ params, body }, { request }) =>
    views.rename({ id: params.id, accountId: signedInUser(request).accountId }, body.name),
  );
  route(app, deleteSavedView, ({ params }, { request }) =>
    views.delete({ id: params.id, accountId: signedInUser(request).accountId }),
  );
}
