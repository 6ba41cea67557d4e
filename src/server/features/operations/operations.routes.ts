import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

export interface OperationsParts {
  readiness: Readiness;
  /** Null when no token is configured: then there is nothing to see. */
  metrics: { read: Metrics; token: string } | null;
}

/** What monitors ask. Nobody is signed in here, so none of it says anything about people. */
export function operationsRoutes(app: App, { readiness, metrics }: OperationsParts): void {
  const open = { config: { open: true }, schema: { hide: true } };

  app.get('/livez', open, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });

  app.get('/readyz', open, async (_request, reply) => {
    const checks = await readiness.check();
    const isReady = Object.values(checks).every((state) => state === 'ok');
    reply.header('cache-control', 'no-store').code(isReady ? 200 : 503);
    if (!isReady) reply.header('retry-after', '5');
    return { status: isReady ? 'ok' : 'not ready', checks };
  });

  app.get('/metrics', open, async (request: FastifyRequest, reply: FastifyReply) => {
    if (!metrics) throw new AppError('not_found', 'Metrics are not served here. Set METRICS_TOKEN to serve them.');
    if (!carries(request, metrics.token)) {
      reply.header('www-authenticate', 'Bearer realm="metrics"');
      throw new AppError('unauthenticated', 'Metrics need the token that METRICS_TOKEN names.');
    }
    reply.header('cache-control', 'no-store').type(metrics.read.contentType);
    return metrics.read.text();
  });
}

/** Compared by digest, which takes the same time whatever was sent. */
function carries(request: FastifyRequest, token: string): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

const digest = (text: string) => createHash('sha256').update(text).digest();
