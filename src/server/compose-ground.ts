import type { FastifyBaseLogger } from 'fastify';
import type { RetryPolicy } from './adapters/http-retry/retry.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { claimsAmongAll, claimsWithin } from './db/claims.ts';
import { connect } from './db/database.ts';
import { openLogs } from './features/logs/logs.service.ts';
import type { PublishPace, StepRetry } from './features/processing/processing.service.ts';
import { openQueue } from './jobs/queue.ts';
import { listenLive } from './live/bus.ts';
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
  /** How adapters try again what may pass; their own way when absent. */
  retry?: RetryPolicy;
  /** How steps try again what may pass, and how patiently they wait for the video host; their own way when absent. */
  stepRetry?: StepRetry;
  publishPace?: PublishPace;
}

/** SIGTERM ends the process within 15 s: requests get some of it, jobs the most; what is left of them goes on in the next process. */
const JOB_GRACE_MS = 7_000;

export type Ground = Awaited<ReturnType<typeof openGround>>;

/** What every feature stands on. `opened` collects what has to be closed, in the reverse order. */
export async function openGround(config: Config, surroundings: Surroundings, opened: AsyncDisposableStack) {
  const { connectionString, databaseIsOurs, log } = surroundings;
  const connection = connect(connectionString, config.DATABASE_POOL_SIZE, (error) =>
    log.warn({ err: error }, 'a database connection broke'),
  );
  opened.defer(() => connection.close());
  const toClose = <T>(opening: Promise<T>, close: (it: T) => Promise<void>) => {
    opened.defer(() => opening.then(close, () => {}));
    return opening;
  };
  // Both at once: each mostly waits for the database.
  const [bus, queue] = await Promise.all([
    toClose(listenLive(connectionString, log), (bus) => bus.close()),
    toClose(openQueue(connection, log), (queue) => queue.stop(JOB_GRACE_MS)),
  ]);
  const claims = databaseIsOurs ? claimsWithin() : claimsAmongAll(connectionString);
  opened.defer(() => claims.close());
  return {
    connection,
    db: connection.db,
    bus,
    queue,
    claims,
    sockets: new LiveSockets(log, { total: config.MAX_SOCKETS, perSession: config.MAX_SOCKETS_PER_SESSION }),
    logs: openLogs(connection.db, config.LOG_RETENTION_DAYS),
    log,
  };
}
