import type { FastifyBaseLogger } from 'fastify';
import { fromKysely, PgBoss } from 'pg-boss';
import type { z } from 'zod';
import type { Connection, Executor } from '../db/database.ts';
import { announce, type LiveBus } from '../live/bus.ts';
import { currentRequestId } from '../request-context.ts';
import type { JobDefinition, JobName } from './job.ts';
import { REQUEST_ID } from './run-job.ts';
import { startWorker, type Worker } from './worker.ts';

/** A job whose worker has not been heard of for this long is given to another one. pg-boss takes no less than 10. */
const HEARTBEAT_SECONDS = 10;
/** How often dead workers are looked for. */
const MONITOR_SECONDS = 3;

/** The part of the queue that gives work to others. */
export type JobSender = Pick<JobQueue, 'enqueue' | 'holds'>;

/** Jobs of one kind: those that are due and wait, those that come due later, those that run. */
export interface QueueDepth {
  job: string;
  state: 'waiting' | 'later' | 'running';
  count: number;
  /** Since the oldest of them was due. */
  oldestSeconds: number;
}

/** The job queue: pg-boss for what must be durable, our own loop for running them without delay. */
export interface JobQueue {
  /** Resolves when its tables are there; nothing can be enqueued before. */
  readonly opened: Promise<void>;
  /** Puts a job into the queue with the surrounding transaction: both happen, or neither. It runs at once, or at `startAt`. */
  enqueue<Payload extends z.ZodType>(
    tx: Executor,
    job: JobName<Payload>,
    payload: z.input<Payload>,
    startAt?: Date,
  ): Promise<void>;
  /** True while a job with this payload waits, runs, or is to be tried again. */
  holds<Payload extends z.ZodType>(job: JobName<Payload>, payload: z.input<Payload>): Promise<boolean>;
  /** How much there is to do. */
  depth(): Promise<QueueDepth[]>;
  /** True from `start` until `stop`. */
  readonly isRunning: boolean;
  /** Starts running jobs. */
  start(jobs: readonly JobDefinition[], working: WorkingConditions): Promise<void>;
  /** Stops taking jobs, tells the running ones to stop, and waits for them up to `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

interface WorkingConditions {
  /** Tells of new jobs at once. */
  bus: LiveBus;
  /** No other process can be working: jobs left active are taken up at once. */
  orphansAreDead: boolean;
}

/** Opens once `migrated` resolves. */
export function openQueue(
  connection: Connection,
  log: FastifyBaseLogger,
  migrated: Promise<unknown> = Promise.resolve(),
): JobQueue {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => connection.pool.query(text, values as unknown[]) },
    schema: 'pgboss',
    schedule: false,
    superviseIntervalSeconds: MONITOR_SECONDS,
    monitorIntervalSeconds: MONITOR_SECONDS,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue had an error; it goes on by itself'));
  const opened = migrated.then(async () => void (await boss.start()));
  // Whoever waits for it hears of that.
  opened.catch(() => {});
  const workers: Worker[] = [];
  let isRunning = false;

  return {
    opened,
    ...senderOver(boss, connection),
    async depth() {
      const { rows } = await connection.pool.query<QueueDepth>(DEPTH);
      return rows;
    },
    get isRunning() {
      return isRunning;
    },
    async start(jobs, { bus, orphansAreDead }) {
      // Asked for at once: making one that is there already is a transaction for each.
      const there = new Set((await boss.getQueues()).map(({ name }) => name));
      for (const job of jobs.filter(({ name }) => !there.has(name))) await boss.createQueue(job.name, optionsOf(job));
      if (orphansAreDead) await releaseOrphans(connection);
      isRunning = true;
      for (const job of jobs) workers.push(startWorker(boss, job, { bus, log, heartbeatSeconds: HEARTBEAT_SECONDS }));
    },
    async stop(graceMs) {
      isRunning = false;
      await Promise.all(workers.map((worker) => worker.stop(graceMs)));
      await opened.then(
        () => boss.stop({ graceful: false }),
        () => {},
      );
    },
  };
}

interface CommandSender extends JobSender {
  /** Makes what is missing for these kinds of jobs; before any is enqueued. */
  prepare(jobs: readonly JobDefinition[]): Promise<void>;
  close(): Promise<void>;
}

/** The queue for a command beside the product: what it enqueues is worked on by the product, or at its next start. */
export async function openSender(connection: Connection): Promise<CommandSender> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => connection.pool.query(text, values as unknown[]) },
    schema: 'pgboss',
    schedule: false,
    supervise: false,
  });
  await boss.start();
  return {
    ...senderOver(boss, connection),
    async prepare(jobs) {
      for (const job of jobs) if (!(await boss.getQueue(job.name))) await boss.createQueue(job.name, optionsOf(job));
    },
    close: () => boss.stop({ graceful: false }),
  };
}

const senderOver = (boss: PgBoss, { pool }: Connection): JobSender => ({
  async enqueue(tx, job, payload, startAt) {
    const start = startAt && { startAfter: startAt };
    const requestId = currentRequestId();
    const data = { ...(job.payload.parse(payload) as object), ...(requestId && { [REQUEST_ID]: requestId }) };
    await boss.send(job.name, data, { db: fromKysely(tx), ...start });
    if (!startAt) await announce(tx, 'jobs', job.name);
  },
  async holds(job, payload) {
    const { rows } = await pool.query<{ held: boolean }>(
      "SELECT EXISTS (SELECT 1 FROM pgboss.job WHERE name = $1 AND data @> $2 AND state IN ('created', 'retry', 'active')) AS held",
      [job.name, JSON.stringify(job.payload.parse(payload))],
    );
    return rows[0]?.held ?? false;
  },
});

const optionsOf = ({ retries }: JobDefinition) => ({
  retryLimit: retries,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // The heartbeat ends what is dead; a day bounds what is alive but stuck.
  expireInSeconds: 86_399,
  deleteAfterSeconds: 86_400,
});

/** Names of the library's own queues begin with two underscores. */
const DEPTH = `
  SELECT name AS job,
         CASE WHEN state = 'active' THEN 'running' WHEN start_after > now() THEN 'later' ELSE 'waiting' END AS state,
         count(*) AS count,
         greatest(0, extract(epoch FROM now() - min(start_after)))::float8 AS "oldestSeconds"
  FROM pgboss.job WHERE state IN ('created', 'retry', 'active') AND name NOT LIKE '\\_\\_%' GROUP BY 1, 2`;

/**
 * Makes jobs of a killed process runnable now instead of when their heartbeat runs out. They keep their number of tries: the
 * process died, the job did not fail.
 */
async function releaseOrphans({ pool }: Connection): Promise<void> {
  await pool.query(
    "UPDATE pgboss.job SET state = 'retry', start_after = now(), started_on = NULL, heartbeat_on = NULL WHERE state = 'active'",
  );
}
