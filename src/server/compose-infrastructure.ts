import type { FastifyBaseLogger } from 'fastify';
import { createEvents } from './compose-events.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { createLocalClaims, createSharedClaims } from './db/claims.ts';
import { connect } from './db/database.ts';
import { demandMigrated } from './db/migrate.ts';
import { PUSH_RETRY } from './features/ats-pushes/push-retry.ts';
import { Logs } from './features/logs/logs.service.ts';
import { MAIL_RETRY } from './features/mail/mail.service.ts';
import { DELIVERY_RETRY } from './features/outgoing-webhooks/retry-plan.ts';
import { STEP_RETRY } from './features/processing/step-retry.ts';
import { PUBLISH_PACE } from './features/processing/until-ready.ts';
import { FOLDER_PACE } from './features/uploads/upload-folder.ts';
import { UPLOAD_PACE } from './features/uploads/uploads.service.ts';
import { LiveWorkers, WORKER_PACE } from './jobs/live-workers.ts';
import { JobQueue } from './jobs/queue.ts';
import { LiveBus } from './live/bus.ts';
import { LiveSockets } from './live/sockets.ts';
import type { InterviewSource } from './ports/interview-source.ts';
import type { RetryPolicy } from './ports/retry-policy.ts';
import { Runs } from './runs/runs.ts';
import { setUpDatabase } from './set-up-database.ts';

/** How often and how long things are tried. */
const PACES = {
  stepRetry: STEP_RETRY,
  mailRetry: MAIL_RETRY,
  deliveryRetry: DELIVERY_RETRY,
  pushRetry: PUSH_RETRY,
  /** The longest delay of an automatic refresh and of a daily mail. */
  automationIntervalMs: 10_000,
  /** How UPLOAD_FOLDER is read. */
  folderPace: FOLDER_PACE,
  /** How fast a body of an upload must arrive. */
  uploadPace: UPLOAD_PACE,
  /** How long and how often a step asks the video host. */
  publishPace: PUBLISH_PACE,
  /** How workers show that they run. */
  workerPace: WORKER_PACE,
};
export type Paces = typeof PACES;

export interface ComposeOptions {
  /** A database that accepts connections. */
  connectionString: string;
  /** The database itself, if `connectionString` points to a pooler. */
  directConnectionString?: string | undefined;
  /** The account that migrates it; default: the account of the other URLs. */
  ownerConnectionString?: string | undefined;
  /**
   * True when no other process uses this database: jobs of a killed process then restart at
   * once.
   */
  hasExclusiveDatabase: boolean;
  secrets: Secrets;
  /** A `Log` with which Fastify logs too. */
  log: FastifyBaseLogger;
  /** The folder of the built web application. */
  webFolder: string;
  /** Changes the responses of the interview services. */
  changeSource?: (source: InterviewSource) => InterviewSource;
  /** How adapters retry; default: `RETRY_POLICY`. */
  retry?: RetryPolicy;
  /** Shorter times for tests. */
  paces?: Partial<Paces>;
}

/**
 * SIGTERM ends the process within 15 s; jobs get the largest part. The next process resumes
 * them.
 */
const JOB_GRACE_MS = 7_000;

export type Infrastructure = Awaited<ReturnType<typeof openInfrastructure>>;

/** Opens what every feature uses. `opened` collects what to close, in reverse order. */
export async function openInfrastructure(config: Config, options: ComposeOptions, opened: AsyncDisposableStack) {
  const { connectionString, hasExclusiveDatabase, log } = options;
  const paces = { ...PACES, ...options.paces };
  const { directConnectionString = connectionString } = options;
  const { ownerConnectionString = directConnectionString } = options;
  const pool = { size: config.DATABASE_POOL_SIZE, prepares: config.DATABASE_PREPARED === 'on' };
  const connection = opened.use(
    connect(connectionString, pool, (error) =>
      log.warn({ err: error }, 'a database connection failed; it will be replaced'),
    ),
  );
  if (config.MIGRATE === 'off') await demandMigrated(connection.pool);
  else await setUpDatabase(ownerConnectionString, connection.pool, (line) => log.info(line));
  const bus = new LiveBus(directConnectionString, log);
  opened.defer(() => bus.close());
  const queue = new JobQueue(connection, log, { supervise: config.ROLES.includes('worker') });
  opened.defer(() => queue.stop(JOB_GRACE_MS));
  await Promise.all([bus.opened, queue.opened]);
  const workers = new LiveWorkers({ db: connection.db, log, pace: paces.workerPace });
  opened.defer(() => workers.close());
  const claims = hasExclusiveDatabase ? createLocalClaims() : createSharedClaims(directConnectionString);
  opened.defer(() => claims.close());
  return {
    connection,
    db: connection.db,
    bus,
    queue,
    workers,
    claims,
    runs: new Runs({ db: connection.db, log }),
    sockets: new LiveSockets(log, { total: config.MAX_SOCKETS, perSession: config.MAX_SOCKETS_PER_SESSION }),
    logs: new Logs(connection.db, config.LOG_RETENTION_DAYS),
    events: createEvents(),
    log,
    paces,
  };
}
