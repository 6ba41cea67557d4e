import type { FastifyReply, FastifyRequest } from 'fastify';
import { groupOf } from '#contracts/api.ts';
import type { Endpoint, HandlerInput, ResponseOf } from '#contracts/endpoint.ts';
import type { App } from './app.ts';
import { refuseNul } from './guards/refuse-nul.ts';

export interface RouteContext {
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Serves an endpoint of the contracts: validates its input, calls the handler, and serializes the
 * result with the response schema, which drops fields that the contract does not name.
 */
export function route<const E extends Endpoint>(
  app: App,
  endpoint: E,
  handle: (input: HandlerInput<E>, context: RouteContext) => Promise<ResponseOf<E>> | ResponseOf<E>,
): void {
  const status = endpoint.status ?? 200;
  const group = groupOf(endpoint);
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    // A HEAD request to the GET that starts a refresh would start it too.
    exposeHeadRoute: endpoint.method === 'GET' && !endpoint.changesState,
    ...(endpoint.maxBodyBytes !== undefined && { bodyLimit: endpoint.maxBodyBytes }),
    config: {
      role: endpoint.role,
      scope: endpoint.scope,
      needsAllFunnels: endpoint.needsAllFunnels ?? false,
      changesState: endpoint.changesState ?? endpoint.method !== 'GET',
    },
    schema: {
      summary: endpoint.summary,
      ...(group && { tags: [group] }),
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: endpoint.body }),
      ...(status !== 204 && { response: { [status]: endpoint.response } }),
    },
    preValidation: refuseNul,
    handler: async (request, reply) => {
      const input = { params: request.params, query: request.query, body: request.body } as HandlerInput<E>;
      const body = await handle(input, { request, reply });
      reply.code(status);
      return body;
    },
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True: the origin is checked, whatever the method. */
    changesState?: boolean;
    /** True: requests for any host name are served, because monitors use addresses of machines. */
    servesAnyHost?: boolean;
  }
}
