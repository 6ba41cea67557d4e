import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type FinishedRequest, runAs } from '#server/request-context.ts';
import { clientAddress } from './client-address.ts';

/** An id of the client or a proxy: without characters that break a log line. */
const CLIENT_ID = /^[\w.:-]{8,128}$/;

/** Requests too frequent for a line each: files and assets of a page, health checks of monitors. */
const FREQUENT = /^\/(api\/files\/|s\/:token\/(video|thumbnail)\/|assets\/|healthz$|livez$|readyz$|metrics$)/;

/** Clients never choose the id: it could repeat another request's id. */
export const newRequestId = (): string => randomUUID();

/**
 * Sends the request's id with each response and logs one line per finished request, which contains
 * the `X-Request-Id` of the client or the proxy as `clientRequestId`.
 */
export function logRequests(app: FastifyInstance, onFinished: (request: FinishedRequest) => void = () => {}): void {
  // The callback form makes the context span all later hooks and the handler.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const visitor = { kind: 'anonymous', accountId: null, name: null } as const;
    runAs({ ...visitor, address: clientAddress(request), requestId: request.id }, done);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, log } = request;
    const { url: route = 'none' } = routeOptions;
    const { statusCode: status, elapsedTime: ms } = reply;
    onFinished({ method, route, status, seconds: ms / 1_000 });
    const line = { method, route, status, ms: Math.round(ms * 10) / 10, ...clientRequestId(request) };
    log[levelOf(route, status)](line, 'request done');
  });
}

function clientRequestId({ headers }: FastifyRequest): { clientRequestId?: string } {
  const id = headers['x-request-id'];
  return typeof id === 'string' && CLIENT_ID.test(id) ? { clientRequestId: id } : {};
}

function levelOf(route: string, status: number): 'debug' | 'info' | 'warn' | 'error' {
  if (status >= 500) return status === 503 ? 'warn' : 'error';
  return FREQUENT.test(route) ? 'debug' : 'info';
}
