import type { FastifyBaseLogger } from 'fastify';
import type { RetryPolicy } from './adapters/http-retry/retry.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { claimsAmongAll, claimsWithin } from './db/claims.ts';
import { type Connection, connect } from './db/database.ts';
import { migrateOver } from './db/migrate.ts';
import { openLogs } from './features/logs/logs.service.ts';
import type { PublishPace, StepRetry } from './features/processing/processing.service.ts';
import { openQueue } from './jobs/queue.ts';
import { listenLive } from './live/bus.ts';
import { LiveSockets } from './live/sockets.ts';

export interface Surroundings {
  /** Of a database that answers; it is brought to this release. */
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

export type Ground = ReturnType<typeof openGround>;

/** Over the first connection of the pool, which the queries after it go on with: each one takes a while to make. */
async function migratePool({ pool }: Connection): Promise<void> {
  const client = await pool.connect();
  try {
    await migrateOver(client);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/**
 * What every feature stands on; it carries once `ready` resolves. `opened` collects what has to be closed, in the reverse order.
 */
export function openGround(config: Config, surroundings: Surroundings, opened: AsyncDisposableStack) {
  const { connectionString, databaseIsOurs, log } = surroundings;
  const connection = connect(connectionString, config.DATABASE_POOL_SIZE, (error) =>
    log.warn({ err: error }, 'a database connection broke'),
  );
  opened.defer(() => connection.close());
  const migrated = migratePool(connection);
  const bus = listenLive(connectionString, log);
  opened.defer(() => bus.close());
  const queue = openQueue(connection, log, migrated);
  opened.defer(() => queue.stop(JOB_GRACE_MS));
  const ready = migrated.then(() => Promise.all([bus.opened, queue.opened]));
  ready.catch(() => {});
  const claims = databaseIsOurs ? claimsWithin() : claimsAmongAll(connectionString);
  opened.defer(() => claims.close());
  return {
    connection,
    db: connection.db,
    bus,
    queue,
    /** Rejects with what keeps the database from being used. */
    ready,
    claims,
    sockets: new LiveSockets(log, { total: config.MAX_SOCKETS, perSession: config.MAX_SOCKETS_PER_SESSION }),
    logs: openLogs(connection.db, config.LOG_RETENTION_DAYS),
    log,
  };
}
