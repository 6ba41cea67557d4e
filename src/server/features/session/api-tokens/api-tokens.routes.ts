import { createApiToken, listAccountTokens, listApiTokens, revokeApiToken } from '#contracts/api-tokens.ts';
import type { App } from '#server/http/app.ts';
import { signedInUser } from '#server/http/guards/session-guard.ts';
import { route } from '#server/http/route.ts';
import type { ApiTokens } from './api-tokens.service.ts';

export function apiTokenRoutes(app: App, tokens: ApiTokens): void {
  route(app, listApiTokens, (_input, { request }) => tokens.list(signedInUser(request).accountId));
  route(app, createApiToken, ({ body }, { request }) => tokens.create(signedInUser(request), body));
  route(app, revokeApiToken, async ({ params }, { request }) => {
    await tokens.revoke(params.id, signedInUser(request));
    return { message: 'API token revoked' };
  });
  route(app, listAccountTokens, ({ params }) => tokens.listOfOther(params.id));
}
