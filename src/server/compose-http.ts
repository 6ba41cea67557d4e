import type { Adapters } from './compose-adapters.ts';
import type { Features } from './compose-features.ts';
import type { Ground } from './compose-ground.ts';
import type { Config } from './config/config.ts';
import { isReachable } from './config/config.ts';
import { bulkRoutes } from './features/bulk/bulk.routes.ts';
import { funnelRoutes } from './features/funnels/funnels.routes.ts';
import { interviewRoutes } from './features/interviews/interviews.routes.ts';
import { logRoutes } from './features/logs/logs.routes.ts';
import { mediaRoutes, thumbnailRoute } from './features/media/media.routes.ts';
import { operationsRoutes } from './features/operations/operations.routes.ts';
import { readQuotaEntry } from './features/operations/operations-log.ts';
import { processingRoutes } from './features/processing/processing.routes.ts';
import { sessionRoutes } from './features/session/session.routes.ts';
import { syncRoutes } from './features/sync/sync.routes.ts';
import { serveApiDocs } from './http/api-docs.ts';
import { type App, buildApp } from './http/app.ts';
import { Overload } from './http/guards/overload.ts';
import { ReadQuota } from './http/guards/read-quota.ts';
import { serveSecurityTxt } from './http/security-txt.ts';
import { serveWebApp } from './http/web-app.ts';
import { sendAnnouncements } from './live/announcements.ts';
import { liveRoutes } from './live/live.routes.ts';

/** Part of the 15 s that the process has after SIGTERM; then connections are closed. */
const DRAIN_TIMEOUT_MS = 4_000;
/** With more waiting queries for each database connection, requests are refused. */
const MAX_WAITING_QUERIES_PER_CONNECTION = 100;

interface HttpDeps {
  ground: Ground;
  adapters: Adapters;
  features: Features;
  webFolder: string;
}

/** Builds the HTTP application with every route and the live messages, ready to listen. */
export async function composeHttp(config: Config, deps: HttpDeps, opened: AsyncDisposableStack): Promise<App> {
  const { connection, sockets, log } = deps.ground;
  const { sessions, outages, metrics } = deps.features;
  const overload = new Overload({
    waitingQueries: () => connection.pool.waitingCount,
    maxWaiting: config.DATABASE_POOL_SIZE * MAX_WAITING_QUERIES_PER_CONNECTION,
  });
  opened.defer(() => overload.close());
  const app = await buildApp({
    log,
    trustProxy: config.TRUST_PROXY,
    loopbackOnly: !isReachable(config),
    allowedHosts: config.PUBLIC_URL ?? [],
    sessions,
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
  await addRoutes(app, config, deps);
  sendLiveMessages(deps);
  await app.ready();
  return app;
}

async function addRoutes(app: App, config: Config, { ground, adapters, features, webFolder }: HttpDeps): Promise<void> {
  await serveApiDocs(app);
  const { readiness, metrics, setup } = features;
  const { db, logs, log } = ground;
  const perHour = config.READ_QUOTA;
  const quota = new ReadQuota({
    perHour,
    onExceeded: () =>
      logs
        .write(db, readQuotaEntry(perHour))
        .catch((error) => log.warn({ err: error }, 'an exceeded read quota was not logged')),
  });
  operationsRoutes(app, { readiness, metrics, setup, metricsToken: config.METRICS_TOKEN });
  sessionRoutes(app, features.sessions);
  funnelRoutes(app, features.funnels);
  syncRoutes(app, features.sync);
  interviewRoutes(app, features.interviews, quota);
  bulkRoutes(app, features.bulk);
  processingRoutes(app, features.processing, quota);
  logRoutes(app, ground.logs);
  mediaRoutes(app, adapters.files, {
    redirect: adapters.redirect,
    accelPrefix: config.X_ACCEL_PREFIX,
    quota,
    onPlay: (file) => features.viewings.recordPlaying(file),
  });
  thumbnailRoute(app, features.media, quota);
  liveRoutes(app, { sockets: ground.sockets, bus: ground.bus, sessions: features.sessions });
  serveSecurityTxt(app, config.SECURITY_CONTACT);
  const fileOrigin = await adapters.redirect?.signedOrigin().catch((error) => {
    log.warn({ err: error }, 'browsers will not load files from the bucket until the next start');
    return undefined;
  });
  await serveWebApp(app, webFolder, fileOrigin);
}

function sendLiveMessages({ ground: { bus, sockets, logs, log }, features }: HttpDeps): void {
  const { sync, processing, bulk } = features;
  const data = {
    refreshStatus: () => sync.status(),
    logEntry: (id: number) => logs.findListed(id),
    stepMessage: processing.findLiveMessage.bind(processing),
    bulkRun: (id: number) => bulk.findRun(id),
  };
  sendAnnouncements(bus, sockets, data, log);
}
