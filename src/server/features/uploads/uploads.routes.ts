import { createUpload, deleteUpload, keepDuplicate, listUploads } from '#contracts/uploads.ts';
import type { App } from '#server/http/app.ts';
import { signedInUser } from '#server/http/guards/session-guard.ts';
import { route } from '#server/http/route.ts';
import { tusRoutes } from './tus.routes.ts';
import type { Uploads } from './uploads.service.ts';

export async function uploadRoutes(app: App, uploads: Uploads): Promise<void> {
  route(app, listUploads, (_input, { request }) => uploads.list(signedInUser(request).accountId));
  route(app, createUpload, ({ body }, { request }) => uploads.create(signedInUser(request).accountId, body));
  route(app, keepDuplicate, ({ params }, { request }) =>
    uploads.keepDuplicate({ id: params.id, accountId: signedInUser(request).accountId }),
  );
  route(app, deleteUpload, ({ params }, { request }) =>
    uploads.delete({ id: params.id, accountId: signedInUser(request).accountId }),
  );
  await tusRoutes(app, uploads);
}
