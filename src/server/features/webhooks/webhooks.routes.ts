import type { FastifyRequest } from 'fastify';
import { openWebhook, renewWebhook, setSigningSecret } from '#contracts/webhooks.ts';
import { AppError } from '#server/app-error.ts';
import type { App } from '#server/http/app.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { route } from '#server/http/route.ts';
import type { Webhooks } from './webhooks.service.ts';

const MAX_BODY_BYTES = 1024 * 1024;

type AuthorizedWebhook = Awaited<ReturnType<Webhooks['authorize']>>;

export function webhookRoutes(app: App, webhooks: Webhooks): void {
  route(app, openWebhook, ({ params }) => webhooks.open(params.id));
  route(app, renewWebhook, ({ params }) => webhooks.renew(params.id));
  route(app, setSigningSecret, ({ params, body }) => webhooks.setSigningSecret(params.id, body.signingSecret));
  receiveEvents(app, webhooks);
}

/**
 * Receives events of services. They have no session: the secret in the URL authenticates them.
 * The body is read after the secret was checked, and stays as it was sent, because signatures cover
 * its bytes.
 */
function receiveEvents(app: App, webhooks: Webhooks): void {
  app.register(async (scope) => {
    const authorized = new WeakMap<FastifyRequest, AuthorizedWebhook>();
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.route<{ Params: { source: string; secret: string } }>({
      method: 'POST',
      url: '/hooks/:source/:secret',
      bodyLimit: MAX_BODY_BYTES,
      config: { role: 'open', scope: null, changesState: false },
      onRequest: async (request) => {
        const { source, secret } = request.params;
        authorized.set(request, await webhooks.authorize({ source, secret }, clientAddress(request)));
      },
      handler: async (request, reply) => {
        const { body, headers } = request;
        const webhook = authorized.get(request);
        if (!webhook || !Buffer.isBuffer(body))
          throw new AppError('invalid_input', 'body is required', { field: 'body' });
        await webhooks.acceptEvent(webhook, { body, headers });
        return reply.code(202).send({ message: 'Accepted' });
      },
    });
  });
}
