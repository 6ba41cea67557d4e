import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FinishedRequest, runForRequest } from '../request-context.ts';

/** So many a page view asks for, or a monitor every few seconds, that nobody wants a line for each. */
const QUIET = /^\/(api\/files\/|assets\/|healthz$|livez$|readyz$|metrics$)/;

/** Answers every request with its id, and writes one line when it has ended. */
export function logRequests(app: FastifyInstance, onFinished: (request: FinishedRequest) => void = () => {}): void {
  // In the callback form: what follows, down to the last hook and handler, runs inside.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    runForRequest(request.id, done);
  });
  app.addHook('onResponse', async (request, reply) => {
    const finished = factsOf(request, reply);
    onFinished(finished);
    const { method, route, status } = finished;
    const line = { method, route, status, ms: Math.round(reply.elapsedTime * 10) / 10 };
    request.log[levelOf(finished)](line, 'request done');
  });
}

const factsOf = (request: FastifyRequest, reply: FastifyReply): FinishedRequest => ({
  method: request.method,
  route: request.routeOptions.url ?? 'none',
  status: reply.statusCode,
  seconds: reply.elapsedTime / 1_000,
});

function levelOf({ route, status }: FinishedRequest): 'debug' | 'info' | 'warn' | 'error' {
  if (status >= 500) return status === 503 ? 'warn' : 'error';
  return QUIET.test(route) ? 'debug' : 'info';
}
