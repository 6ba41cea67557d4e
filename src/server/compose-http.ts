import { setImmediate as turn } from 'node:timers/promises';
import type { Features } from './compose-features.ts';
import type { Ground } from './compose-ground.ts';
import type { Config } from './config/config.ts';
import { isReachable } from './config/reachable.ts';
import { funnelRoutes } from './features/funnels/funnels.routes.ts';
import { interviewRoutes } from './features/interviews/interviews.routes.ts';
import { logRoutes } from './features/logs/logs.routes.ts';
import { mediaRoutes } from './features/media/media.routes.ts';
import type { MetricsDependencies } from './features/operations/metrics.ts';
import { operationsRoutes } from './features/operations/operations.routes.ts';
import { Outages, Readiness } from './features/operations/operations.service.ts';
import { processingRoutes } from './features/processing/processing.routes.ts';
import { sessionRoutes } from './features/session/session.routes.ts';
import { syncRoutes } from './features/sync/sync.routes.ts';
import { serveApiDocs } from './http/api-docs.ts';
import { type App, buildApp } from './http/app.ts';
import { serveHealth } from './http/health.ts';
import { Overload } from './http/overload.ts';
import { serveWebApp } from './http/web-app.ts';
import { sendAnnouncements } from './live/announcements.ts';
import { liveRoutes } from './live/live.routes.ts';
import type { FileStore } from './ports/file-store.ts';

/** Before connections are cut: part of the 15 s within which SIGTERM ends the process. */
const DRAIN_MS = 4_000;
/** Queries that may wait for each connection to the database before callers are asked to come back. */
const QUERIES_PER_CONNECTION = 100;

interface Served {
  ground: Ground;
  features: Features;
  files: FileStore;
  /** The folder of the built browser application. */
  webFolder: string;
}

/** The HTTP application with every route and the live messages, ready to listen. `opened` collects what has to be closed. */
export async function composeHttp(config: Config, served: Served, opened: AsyncDisposableStack): Promise<App> {
  const { ground, features, files, webFolder } = served;
  const { connection, bus, queue, sockets, log } = ground;
  const metrics = await openMetrics(config, { ...ground, files, sync: features.sync });
  opened.defer(() => metrics?.read.close());
  const overload = new Overload({
    waitingQueries: () => connection.pool.waitingCount,
    mostWaiting: config.DATABASE_POOL_SIZE * QUERIES_PER_CONNECTION,
  });
  opened.defer(() => overload.close());
  const outages = new Outages({ ...ground, files });
  opened.defer(() => outages.close());
  const app = await buildApp({
    log,
    trustProxy: config.TRUST_PROXY,
    loopbackOnly: !isReachable(config),
    sessions: features.sessions,
    guardOverload: overload.guard,
    onFinished: (request) => metrics?.read.requestFinished(request),
  });
  opened.defer(async () => {
    // A client that reads a video slowly, or not at all, must not keep the process.
    const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
    await app.close().finally(() => clearTimeout(cut));
  });
  opened.defer(() => sockets.close());
  app.addHook('onError', async (_request, _reply, error) => outages.noticed(error));
  await turn();
  operationsRoutes(app, { readiness: new Readiness({ pool: connection.pool, queue, files }), metrics });
  serveHealth(app, connection.db);
  await featureRoutes(app, config, served);
  liveRoutes(app, { sockets, bus, sessions: features.sessions });
  await serveWebApp(app, webFolder);
  announceLive(ground, features);
  await app.ready();
  return app;
}

/** One feature after the other: between them the connections that are being opened get their turn. */
async function featureRoutes(app: App, config: Config, { ground, features, files }: Served): Promise<void> {
  const adding = [
    () => serveApiDocs(app),
    () => sessionRoutes(app, features.sessions),
    () => funnelRoutes(app, features.funnels),
    () => syncRoutes(app, features.sync),
    () => interviewRoutes(app, features.interviews),
    () => processingRoutes(app, features.processing),
    () => logRoutes(app, ground.logs),
    () => mediaRoutes(app, files, { accelPrefix: config.X_ACCEL_PREFIX }),
  ];
  for (const add of adding) {
    add();
    await turn();
  }
}

const announceLive = ({ bus, sockets, logs, log }: Ground, { sync, processing }: Features) =>
  sendAnnouncements(
    bus,
    sockets,
    {
      refreshStatus: () => sync.status(),
      logEntry: (id) => logs.find(id),
      stepMessage: (type, interviewId) => processing.liveMessage(type, interviewId),
    },
    log,
  );

/** Loaded only where somebody looks: a process without METRICS_TOKEN does not carry it. */
async function openMetrics({ METRICS_TOKEN: token }: Config, dependencies: MetricsDependencies) {
  if (token === undefined) return null;
  const { Metrics } = await import('./features/operations/metrics.ts');
  return { read: new Metrics(dependencies), token };
}
