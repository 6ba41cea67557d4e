import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FinishedRequest, runAs } from '#server/request-context.ts';
import { clientAddress } from './client-address.ts';

/**
 * Ids accepted from a proxy: long enough to be unique, without characters that break a log line.
 */
const REQUEST_ID = /^[\w.:-]{8,128}$/;

/**
 * Uses the proxy's request id or generates one. An id chosen by a client could repeat that of
 * another request.
 */
export const requestIds =
  (trustProxy: boolean) =>
  (request: IncomingMessage): string => {
    const id = trustProxy ? request.headers['x-request-id'] : undefined;
    return typeof id === 'string' && REQUEST_ID.test(id) ? id : randomUUID();
  };

/** Requests too frequent for a line each: files and assets of a page, health checks of monitors. */
const FREQUENT = /^\/(api\/files\/|assets\/|healthz$|livez$|readyz$|metrics$)/;

/** Sends the request's id with each response and logs one line per finished request. */
export function logRequests(app: FastifyInstance, onFinished: (request: FinishedRequest) => void = () => {}): void {
  // The callback form makes the context span all later hooks and the handler.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const visitor = { kind: 'anonymous', accountId: null, name: null } as const;
    runAs({ ...visitor, address: clientAddress(request), requestId: request.id }, done);
  });
  app.addHook('onResponse', async (request, reply) => {
    const finished = finishedRequest(request, reply);
    onFinished(finished);
    const { method, route, status } = finished;
    const line = { method, route, status, ms: Math.round(reply.elapsedTime * 10) / 10 };
    request.log[levelOf(finished)](line, 'request done');
  });
}

const finishedRequest = (request: FastifyRequest, reply: FastifyReply): FinishedRequest => ({
  method: request.method,
  route: request.routeOptions.url ?? 'none',
  status: reply.statusCode,
  seconds: reply.elapsedTime / 1_000,
});

function levelOf({ route, status }: FinishedRequest): 'debug' | 'info' | 'warn' | 'error' {
  if (status >= 500) return status === 503 ? 'warn' : 'error';
  return FREQUENT.test(route) ? 'debug' : 'info';
}
