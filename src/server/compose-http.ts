import { AppError } from './app-error.ts';
import type { HttpDeps } from './compose-web.ts';
import type { Config } from './config/config.ts';
import { isReachable } from './config/config.ts';
import { monitorRoutes } from './features/operations/operations.routes.ts';
import { type App, buildApp } from './http/app.ts';
import { Overload } from './http/guards/overload.ts';

/** Part of the 15 s that the process has after SIGTERM; then connections are closed. */
const DRAIN_TIMEOUT_MS = 4_000;
/** With more waiting queries for each database connection, requests are rejected. */
const MAX_WAITING_QUERIES_PER_CONNECTION = 100;

/**
 * Builds the HTTP application, ready to listen: the endpoints for monitors, and in the web role
 * everything else.
 */
export async function composeHttp(config: Config, deps: HttpDeps, opened: AsyncDisposableStack): Promise<App> {
  const { connection, sockets, log } = deps.infrastructure;
  const { sessions, apiTokens, outages, metrics, readiness, interviews, funnels } = deps.features;
  const overload = new Overload({
    waitingQueries: () => connection.pool.waitingCount,
    maxWaiting: config.DATABASE_POOL_SIZE * MAX_WAITING_QUERIES_PER_CONNECTION,
  });
  opened.defer(() => overload.close());
  const app = await buildApp({
    log,
    trustProxy: config.TRUST_PROXY,
    loopbackOnly: !isReachable(config),
    publicUrls: config.PUBLIC_URL ?? [],
    sessions,
    apiTokens,
    expectVisible: {
      interviews: (id) => interviews.expectVisible(id),
      funnels: async (id) => funnels.expectVisible(Number(id)),
    },
    guardOverload: overload.guard,
    onFinished: (request) => metrics?.requestFinished(request),
  });
  opened.defer(async () => {
    // A client that reads a video slowly must not keep the process running.
    const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
    await app.close().finally(() => clearTimeout(timer));
  });
  opened.defer(() => sockets.close());
  app.addHook('onError', async (_request, _reply, error) => outages.noteError(error));
  monitorRoutes(app, { readiness, metrics, metricsToken: config.METRICS_TOKEN });
  if (config.ROLES.includes('web')) {
    const { addWebRoutes } = await import('./compose-web.ts');
    await addWebRoutes(app, config, deps);
  } else app.setNotFoundHandler(rejectOnWorker);
  await app.ready();
  return app;
}

function rejectOnWorker(): never {
  throw new AppError('not_found', 'This process runs jobs only. Ask a process with the web role.');
}
