import type { FastifyBaseLogger } from 'fastify';
import type { RetryPolicy } from './adapters/http-retry/retry.ts';
import { pickAdapters } from './compose-adapters.ts';
import type { Config } from './config/config.ts';
import { isReachable } from './config/reachable.ts';
import type { Secrets } from './config/secrets.ts';
import { claimsAmongAll, claimsWithin } from './db/claims.ts';
import { connect } from './db/database.ts';
import { Tombstones } from './features/candidates/tombstones.service.ts';
import { VideoRemoval } from './features/candidates/video-removal.service.ts';
import { ApiKeyVault } from './features/funnels/api-key.ts';
import { funnelRoutes } from './features/funnels/funnels.routes.ts';
import { Funnels } from './features/funnels/funnels.service.ts';
import { interviewRoutes } from './features/interviews/interviews.routes.ts';
import { Interviews } from './features/interviews/interviews.service.ts';
import { logRoutes } from './features/logs/logs.routes.ts';
import { openLogs } from './features/logs/logs.service.ts';
import { FileRemoval } from './features/media/file-removal.service.ts';
import { mediaRoutes } from './features/media/media.routes.ts';
import { Media } from './features/media/media.service.ts';
import type { MetricsDependencies } from './features/operations/metrics.ts';
import { operationsRoutes } from './features/operations/operations.routes.ts';
import { Outages, Readiness } from './features/operations/operations.service.ts';
import { processingRoutes } from './features/processing/processing.routes.ts';
import {
  Processing,
  PUBLISH_PACE,
  type PublishPace,
  STEP_RETRY,
  type StepRetry,
} from './features/processing/processing.service.ts';
import { sessionRoutes } from './features/session/session.routes.ts';
import { openSessions } from './features/session/session.service.ts';
import { syncRoutes } from './features/sync/sync.routes.ts';
import { Sync } from './features/sync/sync.service.ts';
import { SyncWorker } from './features/sync/sync-worker.ts';
import { serveApiDocs } from './http/api-docs.ts';
import { type App, buildApp } from './http/app.ts';
import { serveHealth } from './http/health.ts';
import { Overload } from './http/overload.ts';
import { serveWebApp } from './http/web-app.ts';
import { openQueue } from './jobs/queue.ts';
import { sendAnnouncements } from './live/announcements.ts';
import { listenLive } from './live/bus.ts';
import { liveRoutes } from './live/live.routes.ts';
import { LiveSockets } from './live/sockets.ts';
import { Sealer } from './secrets/sealer.ts';

export interface Surroundings {
  /** A migrated database. */
  connectionString: string;
  /** True when no other process can be working on this database: what a killed one left is then taken up at once. */
  databaseIsOurs: boolean;
  secrets: Secrets;
  log: FastifyBaseLogger;
  /** The folder of the built browser application. */
  webFolder: string;
  /** How adapters try again what may pass; their own way when absent. */
  retry?: RetryPolicy;
  /** How steps try again what may pass, and how patiently they wait for the video host; their own way when absent. */
  stepRetry?: StepRetry;
  publishPace?: PublishPace;
}

/** The product, wired and ready to listen. */
export interface Product {
  app: App;
  /** Starts working on jobs and sweeping; call it after listening. Resolves with what whoever runs it should see at once. */
  start(): Promise<{ warning: string | null }>;
  /** Ends requests, sockets and jobs, in this order, then the connections. */
  stop(): Promise<void>;
}

const EXPIRY_MS = 60_000;
const SWEEP_MS = 60 * 60 * 1_000;
const ABANDONED_MS = 15_000;
/** SIGTERM ends the process within 15 s: requests get some of it, jobs the most; what is left of them goes on in the next process. */
const JOB_GRACE_MS = 7_000;
const DRAIN_MS = 4_000;
/** Queries that may wait for each connection to the database before callers are asked to come back. */
const QUERIES_PER_CONNECTION = 100;

/** The only place that picks adapters and wires features together. What was opened is closed again when composing fails half way. */
export async function compose(config: Config, surroundings: Surroundings): Promise<Product> {
  const opened = new AsyncDisposableStack();
  try {
    return await composeProduct(config, surroundings, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** `opened` collects what has to be closed, in the reverse order. */
async function composeProduct(
  config: Config,
  surroundings: Surroundings,
  opened: AsyncDisposableStack,
): Promise<Product> {
  const { connectionString, databaseIsOurs, secrets, log, webFolder, retry } = surroundings;
  const connection = connect(connectionString, config.DATABASE_POOL_SIZE, (error) =>
    log.warn({ err: error }, 'a database connection broke'),
  );
  opened.defer(() => connection.close());
  const { db } = connection;
  const bus = await listenLive(connectionString, log);
  opened.defer(() => bus.close());
  const queue = await openQueue(connection, bus, log);
  opened.defer(() => queue.stop(JOB_GRACE_MS));
  const sockets = new LiveSockets(log, { total: config.MAX_SOCKETS, perSession: config.MAX_SOCKETS_PER_SESSION });

  const adapters = pickAdapters(config, retry);
  const { files, source } = adapters;

  const logs = openLogs(db, config.LOG_RETENTION_DAYS);
  const outages = new Outages({ db, bus, logs, log, files });
  opened.defer(() => outages.close());
  const sessions = await openSessions({ db, bus, logs, log, secret: secrets.sessionSecret, config });
  const sealer = new Sealer(secrets.encryptionKeys);
  const tombstones = new Tombstones(sealer);
  const removal = new FileRemoval({ db, queue, files });
  const funnels = new Funnels({ db, vault: new ApiKeyVault(sealer), removal, logs });
  const interviews = new Interviews({ db, logs, tombstones, destinationUrl: config.DESTINATION_URL });
  const videoRemoval = new VideoRemoval({ db, queue, logs, videoHost: adapters.videoHost });
  const claims = databaseIsOurs ? claimsWithin() : claimsAmongAll(connectionString);
  opened.defer(() => claims.close());
  const media = new Media({ ...adapters, db, interviews, claims });
  const worker = new SyncWorker({
    db,
    interviews,
    funnels,
    logs,
    source,
    files,
    media,
    log,
    concurrency: config.DOWNLOAD_CONCURRENCY,
    onCancel: (listener) => bus.on('sync-cancel', listener),
  });
  const processing = new Processing({
    db,
    queue,
    logs,
    log,
    interviews,
    funnels,
    media,
    tombstones,
    videoRemoval,
    ...adapters,
    retry: surroundings.stepRetry ?? STEP_RETRY,
    pace: surroundings.publishPace ?? PUBLISH_PACE,
    concurrency: {
      convert: config.CONVERT_CONCURRENCY,
      transcribe: config.TRANSCRIBE_CONCURRENCY,
      summarize: config.SUMMARIZE_CONCURRENCY,
    },
  });
  const sync = new Sync({ db, funnels, logs, queue, worker, configured: config.INTERVIEW_SERVICE_URL !== undefined });

  const metrics = await openMetrics(config, { connection, bus, queue, sockets, files, sync });
  opened.defer(() => metrics?.read.close());
  const overload = new Overload({
    waitingQueries: () => connection.pool.waitingCount,
    mostWaiting: config.DATABASE_POOL_SIZE * QUERIES_PER_CONNECTION,
  });
  opened.defer(() => overload.close());
  const app = await buildApp({
    log,
    trustProxy: config.TRUST_PROXY,
    sessions,
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
  serveApiDocs(app);
  serveHealth(app, db);
  operationsRoutes(app, { readiness: new Readiness({ pool: connection.pool, queue, files }), metrics });
  sessionRoutes(app, sessions);
  funnelRoutes(app, funnels);
  syncRoutes(app, sync);
  interviewRoutes(app, interviews);
  processingRoutes(app, processing);
  logRoutes(app, logs);
  mediaRoutes(app, files, { accelPrefix: config.X_ACCEL_PREFIX });
  liveRoutes(app, { sockets, bus, sessions });
  await serveWebApp(app, webFolder);
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

  const timers: NodeJS.Timeout[] = [];
  opened.defer(() => {
    for (const timer of timers) clearInterval(timer);
  });
  const every = (ms: number, what: string, work: () => Promise<void>) =>
    timers.push(
      setInterval(
        () => work().catch((error) => log.warn({ err: error }, `${what} failed; it is tried again`)),
        ms,
      ).unref(),
    );

  return {
    app,
    async start() {
      // One after the other, over the one connection that is open: opening more takes longer than waiting.
      await sync.endAbandoned();
      await processing.endAbandoned();
      await logs.write(db, { type: 'system', action: 'start', status: 'info', summary: 'The server was started.' });
      await queue.start([sync.job, removal.job, videoRemoval.job, ...processing.jobs], databaseIsOurs);
      await videoRemoval.retryRefused();
      every(ABANDONED_MS, 'looking for abandoned refreshes', () => sync.endAbandoned());
      every(ABANDONED_MS, 'looking for abandoned steps', () => processing.endAbandoned());
      every(SWEEP_MS, 'sweeping old log entries', () => logs.sweep());
      every(EXPIRY_MS, 'ending the sessions that have run out', () => sessions.endExpired());
      every(SWEEP_MS, 'sweeping old failures to sign in', () => sessions.sweep());
      return { warning: isReachable(config) ? await sessions.warnOfDefaultCredentials() : null };
    },
    stop: () => opened.disposeAsync(),
  };
}

/** Loaded only where somebody looks: a process without METRICS_TOKEN does not carry it. */
async function openMetrics({ METRICS_TOKEN: token }: Config, dependencies: MetricsDependencies) {
  if (token === undefined) return null;
  const { Metrics } = await import('./features/operations/metrics.ts');
  return { read: new Metrics(dependencies), token };
}
