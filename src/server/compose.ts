import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { localFileStore } from './adapters/file-store-local/local-file-store.ts';
import { httpDownloader } from './adapters/http-download/http-downloader.ts';
import { restInterviewSource } from './adapters/interview-source-rest/rest-interview-source.ts';
import { mediabunnyInspector } from './adapters/media-info/mediabunny-inspector.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { connect } from './db/database.ts';
import { ApiKeyVault } from './features/funnels/api-key.ts';
import { funnelRoutes } from './features/funnels/funnels.routes.ts';
import { Funnels } from './features/funnels/funnels.service.ts';
import { interviewRoutes } from './features/interviews/interviews.routes.ts';
import { Interviews } from './features/interviews/interviews.service.ts';
import { logRoutes } from './features/logs/logs.routes.ts';
import { openLogs } from './features/logs/logs.service.ts';
import { mediaRoutes } from './features/media/media.routes.ts';
import { processingRoutes } from './features/processing/processing.routes.ts';
import { Processing } from './features/processing/processing.service.ts';
import { sessionRoutes } from './features/session/session.routes.ts';
import { openSessions } from './features/session/session.service.ts';
import { syncRoutes } from './features/sync/sync.routes.ts';
import { Sync } from './features/sync/sync.service.ts';
import { SyncWorker } from './features/sync/sync-worker.ts';
import { serveApiDocs } from './http/api-docs.ts';
import { type App, buildApp } from './http/app.ts';
import { serveHealth } from './http/health.ts';
import { serveWebApp } from './http/web-app.ts';
import { openQueue } from './jobs/queue.ts';
import { sendAnnouncements } from './live/announcements.ts';
import { listenLive } from './live/bus.ts';
import { liveRoutes } from './live/live.routes.ts';
import { LiveSockets } from './live/sockets.ts';

export interface Surroundings {
  /** A migrated database. */
  connectionString: string;
  /** True when no other process can be working on this database: what a killed one left is then taken up at once. */
  databaseIsOurs: boolean;
  secrets: Secrets;
  log: FastifyBaseLogger;
  /** The folder of the built browser application. */
  webFolder: string;
}

/** The product, wired and ready to listen. */
export interface Product {
  app: App;
  /** Starts working on jobs and sweeping; call it after listening. */
  start(): Promise<void>;
  /** Ends requests, sockets and jobs, in this order, then the connections. */
  stop(): Promise<void>;
}

const SWEEP_MS = 60 * 60 * 1_000;
const ABANDONED_MS = 15_000;
/** SIGTERM ends the process within 15 s: jobs get most of it, and go on in the next process. */
const JOB_GRACE_MS = 8_000;

/** The only place that picks adapters and wires features together. */
export async function compose(
  config: Config,
  { connectionString, databaseIsOurs, secrets, log, webFolder }: Surroundings,
): Promise<Product> {
  // Closed in the reverse order: when the product stops, or when composing it fails half way.
  await using opened = new AsyncDisposableStack();
  const connection = connect(connectionString, config.DATABASE_POOL_SIZE, (error) =>
    log.warn({ err: error }, 'a database connection broke'),
  );
  opened.defer(() => connection.close());
  const { db } = connection;
  const bus = await listenLive(connectionString, log);
  opened.defer(() => bus.close());
  const queue = await openQueue(connection, bus, log);
  opened.defer(() => queue.stop(JOB_GRACE_MS));
  const sockets = new LiveSockets(log);

  const files = await localFileStore(join(config.DATA_DIR, 'files'));
  const source = restInterviewSource({ baseUrl: config.INTERVIEW_SERVICE_URL ?? '' });
  const downloader = httpDownloader({ files });
  const media = mediabunnyInspector({ files });

  const logs = openLogs(db, config.LOG_RETENTION_DAYS);
  const sessions = await openSessions({ db, bus, logs, log, secret: secrets.sessionSecret, config });
  const funnels = new Funnels({ db, vault: new ApiKeyVault(secrets.encryptionKey), files, logs });
  const interviews = new Interviews({ db, logs, destinationUrl: config.DESTINATION_URL });
  const worker = new SyncWorker({
    db,
    interviews,
    funnels,
    logs,
    source,
    downloader,
    files,
    media,
    log,
    concurrency: config.DOWNLOAD_CONCURRENCY,
    onCancel: (listener) => bus.on('sync-cancel', listener),
  });
  const sync = new Sync({ db, funnels, logs, queue, worker, configured: config.INTERVIEW_SERVICE_URL !== undefined });

  const app = await buildApp({ log, trustProxy: config.TRUST_PROXY, sessions });
  opened.defer(() => app.close());
  opened.defer(() => sockets.close());
  await serveApiDocs(app);
  serveHealth(app, db);
  sessionRoutes(app, sessions);
  funnelRoutes(app, funnels);
  syncRoutes(app, sync);
  interviewRoutes(app, interviews);
  processingRoutes(app, new Processing(interviews));
  logRoutes(app, logs);
  mediaRoutes(app, files, { accelPrefix: config.X_ACCEL_PREFIX });
  await liveRoutes(app, sockets);
  await serveWebApp(app, webFolder);
  sendAnnouncements(bus, sockets, { refreshStatus: () => sync.status(), logEntry: (id) => logs.find(id) }, log);

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

  const whenStopped = opened.move();
  return {
    app,
    async start() {
      await queue.start([sync.job], databaseIsOurs);
      await sync.endAbandoned();
      every(ABANDONED_MS, 'looking for abandoned refreshes', () => sync.endAbandoned());
      every(SWEEP_MS, 'sweeping old log entries', () => logs.sweep());
      every(SWEEP_MS, 'sweeping old sessions', () => sessions.sweep());
      await logs.write(db, { type: 'system', action: 'start', status: 'info', summary: 'The server was started.' });
    },
    stop: () => whenStopped.disposeAsync(),
  };
}
