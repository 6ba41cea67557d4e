import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { getSetup, type Setup } from '#contracts/setup.ts';
import { AppError } from '#server/app-error.ts';
import type { App } from '#server/http/app.ts';
import { route } from '#server/http/route.ts';
import { RELEASE } from '#server/release.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

export interface MonitorDeps {
  readiness: Readiness;
  /** Null without METRICS_TOKEN: then `/metrics` is a 404. */
  metrics: Metrics | null;
  metricsToken: string | undefined;
}

/** The checklist of the first run. */
export const setupRoutes = (app: App, findSetup: () => Promise<Setup>): void => route(app, getSetup, findSetup);

/** Endpoints for monitors. They need no session, so the responses contain nothing about people. */
export function monitorRoutes(app: App, { readiness, metrics, metricsToken }: MonitorDeps): void {
  const open = { config: { role: 'open', scope: null, servesAnyHost: true }, schema: { hide: true } } as const;

  app.get('/healthz', open, async () => {
    await readiness.pingDatabase().catch((cause) => {
      throw new AppError('unavailable', 'The database does not respond.', { cause, retryAfterSeconds: 5 });
    });
    return { status: 'ok' };
  });

  app.get('/livez', open, async () => ({ status: 'ok', release: RELEASE }));

  app.get('/readyz', open, async (_request, reply) => {
    const { status, checks } = await readiness.find();
    const isServing = status === 'ok' || status === 'degraded';
    reply.code(isServing ? 200 : 503);
    if (!isServing) reply.header('retry-after', '5');
    return { status, roles: readiness.roles, checks };
  });

  app.get('/metrics', open, async (request, reply) => {
    if (!metrics || !metricsToken) throw new AppError('not_found', 'Metrics are off. Set METRICS_TOKEN to serve them.');
    if (!hasToken(request, metricsToken)) {
      reply.header('www-authenticate', 'Bearer realm="metrics"');
      throw new AppError('unauthenticated', 'Send the value of METRICS_TOKEN as a bearer token.');
    }
    reply.type(metrics.contentType);
    return metrics.text();
  });
}

/** Compares digests, which takes the same time for every input. */
function hasToken(request: FastifyRequest, token: string): boolean {
  const sent = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(sent), digest(token));
}

const digest = (text: string) => createHash('sha256').update(text).digest();
