import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import bossPackage from 'pg-boss/package.json' with { type: 'json' };
import type { z } from 'zod';
import { withBuildLock } from '#server/db/build-indexes.ts';
import type { Connection, Executor } from '#server/db/database.ts';
import { announce } from '#server/live/announce.ts';
import type { LiveBus } from '#server/live/bus.ts';
import type { Log } from '#server/ports/log.ts';
import { currentActor } from '#server/request-context.ts';
import type { JobDefinition, JobType } from './job.ts';
import { ACTOR } from './run-job.ts';
import { startWorker, type Worker } from './worker.ts';

/** Without a heartbeat for this long, another worker claims the job. pg-boss accepts 10 or more. */
const HEARTBEAT_SECONDS = 10;
/** How often pg-boss looks for expired heartbeats. */
const MONITOR_INTERVAL_SECONDS = 3;

export type JobSender = Pick<JobQueue, 'enqueue' | 'enqueueAll' | 'hasOpenJob'>;

/** Jobs of one type and state. `waiting` jobs are due now, `later` ones are not due yet. */
export interface QueueDepth {
  job: string;
  state: 'waiting' | 'later' | 'running';
  count: number;
  /** How long the oldest of them has been due. */
  oldestSeconds: number;
}

/** pg-boss stores the jobs; our own workers run them without delay (docs/decisions/0004). */
export interface JobQueue {
  /** Nothing can be enqueued before. Rejects when its tables are missing. */
  readonly opened: Promise<void>;
  /** Enqueues in the caller's transaction. The job runs after the commit, or at `startAt`. */
  enqueue<Payload extends z.ZodType>(
    tx: Executor,
    job: JobType<Payload>,
    payload: z.input<Payload>,
    startAt?: Date,
  ): Promise<void>;
  /** Enqueues many jobs of one type with one statement. */
  enqueueAll<Payload extends z.ZodType>(
    tx: Executor,
    job: JobType<Payload>,
    payloads: readonly z.input<Payload>[],
  ): Promise<void>;
  /** True while a job with this payload is waiting, running or waiting for a retry. */
  hasOpenJob<Payload extends z.ZodType>(job: JobType<Payload>, payload: z.input<Payload>): Promise<boolean>;
  depth(): Promise<QueueDepth[]>;
  /** True from `start` until `stop`. */
  readonly isRunning: boolean;
  /** Creates the queues of these job types. Nothing of a type can be enqueued before. */
  prepare(jobs: readonly JobDefinition[]): Promise<void>;
  /** Starts a worker for each prepared job type. */
  start(jobs: readonly JobDefinition[], options: StartOptions): Promise<void>;
  /** Stops claiming jobs, aborts the running ones and waits for them, `graceMs` at most. */
  stop(graceMs: number): Promise<void>;
}

interface StartOptions {
  /** Announces new jobs. */
  bus: LiveBus;
  /**
   * True when no other process uses the database: jobs that a killed process left active then
   * restart immediately.
   */
  hasExclusiveDatabase: boolean;
}

/** The settings that all instances share. */
const bossOptions = (db: pg.ClientBase | pg.Pool) => ({
  db: { executeSql: (text: string, values?: unknown[]) => db.query(text, values) },
  schema: 'pgboss',
  schedule: false,
});

/** The version of its tables that this release of pg-boss needs. */
const SCHEMA_VERSION = bossPackage.pgboss.schema;
/** After an upgrade, pg-boss builds missing indexes one by one; `bam` lists them. */
const IS_CURRENT = `SELECT version = ${SCHEMA_VERSION} AND NOT EXISTS (SELECT 1 FROM pgboss.bam WHERE status <> 'completed') AS "isCurrent"
  FROM pgboss.version`;

/**
 * Creates or upgrades the tables of the queue, as their owner. `openQueue` does neither. Processes
 * that start together take turns, because pg-boss fails when another one creates its tables.
 */
export const installQueue = (owner: pg.ClientBase): Promise<void> => withBuildLock(owner, () => install(owner));

async function install(owner: pg.ClientBase): Promise<void> {
  const boss = new PgBoss({ ...bossOptions(owner), supervise: false });
  if ((await boss.isInstalled()) && (await owner.query(IS_CURRENT)).rows[0]?.isCurrent) return;
  await boss.start();
  // Builds the next missing index.
  await setImmediate();
  await boss.stop({ graceful: false });
}

/** Whether the tables have the version of this release. @throws when they are missing */
export async function isQueueCurrent(db: pg.Pool): Promise<boolean> {
  const { rows } = await db.query<{ version: number }>('SELECT version FROM pgboss.version');
  return rows[0]?.version === SCHEMA_VERSION;
}

interface QueueOptions {
  /** Whether this process looks for jobs of dead workers; default: true. */
  supervise?: boolean;
}

export function openQueue(connection: Connection, log: Log, { supervise = true }: QueueOptions = {}): JobQueue {
  const boss = new PgBoss({
    ...bossOptions(connection.pool),
    migrate: false,
    supervise,
    superviseIntervalSeconds: MONITOR_INTERVAL_SECONDS,
    monitorIntervalSeconds: MONITOR_INTERVAL_SECONDS,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'pg-boss reported an error; it recovers without help'));
  const opened = boss.start().then(() => {});
  // Callers await `opened`; this only prevents an unhandled rejection.
  opened.catch(() => {});
  const workers: Worker[] = [];
  let isRunning = false;

  return {
    opened,
    ...createSender(boss, connection),
    async depth() {
      const { rows } = await connection.pool.query<QueueDepth>(DEPTH);
      return rows;
    },
    get isRunning() {
      return isRunning;
    },
    prepare: (jobs) => createQueues(boss, jobs),
    async start(jobs, { bus, hasExclusiveDatabase }) {
      if (hasExclusiveDatabase) await returnOrphans(connection);
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

interface CommandSender extends JobSender, Pick<JobQueue, 'prepare'> {
  close(): Promise<void>;
}

/**
 * A queue for command-line tools: the server runs what they enqueue, now or after its next start.
 */
export async function openSender(connection: Connection): Promise<CommandSender> {
  const boss = new PgBoss({ ...bossOptions(connection.pool), supervise: false });
  await boss.start();
  return {
    ...createSender(boss, connection),
    prepare: (jobs) => createQueues(boss, jobs),
    close: () => boss.stop({ graceful: false }),
  };
}

/** One query for all: creating a queue that exists costs a transaction each. */
async function createQueues(boss: PgBoss, jobs: readonly JobDefinition[]): Promise<void> {
  const existing = new Set((await boss.getQueues()).map(({ name }) => name));
  for (const job of jobs.filter(({ name }) => !existing.has(name))) await boss.createQueue(job.name, queueOptions(job));
}

const dataOf = (job: JobType, payload: unknown) => ({
  ...(job.payload.parse(payload) as object),
  [ACTOR]: currentActor(),
});

const createSender = (boss: PgBoss, { pool }: Connection): JobSender => ({
  async enqueue(tx, job, payload, startAt) {
    const start = startAt && { startAfter: startAt };
    await boss.send(job.name, dataOf(job, payload), { db: fromKysely(tx), ...start });
    if (!startAt) await announce(tx, 'jobs', job.name);
  },
  async enqueueAll(tx, job, payloads) {
    if (payloads.length === 0) return;
    const jobs = payloads.map((payload) => ({ data: dataOf(job, payload) }));
    await boss.insert(job.name, jobs, { db: fromKysely(tx) });
    await announce(tx, 'jobs', job.name);
  },
  async hasOpenJob(job, payload) {
    const { rows } = await pool.query<{ open: boolean }>(
      "SELECT EXISTS (SELECT 1 FROM pgboss.job WHERE name = $1 AND data @> $2 AND state IN ('created', 'retry', 'active')) AS open",
      [job.name, JSON.stringify(job.payload.parse(payload))],
    );
    return rows[0]?.open ?? false;
  },
});

const queueOptions = ({ retries }: JobDefinition) => ({
  retryLimit: retries,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // A missing heartbeat ends dead jobs; a day ends jobs that are alive but stuck.
  expireInSeconds: 86_399,
  deleteAfterSeconds: 86_400,
});

/** Names of pg-boss's own queues begin with two underscores. */
const DEPTH = `
  SELECT name AS job,
         CASE WHEN state = 'active' THEN 'running' WHEN start_after > now() THEN 'later' ELSE 'waiting' END AS state,
         count(*) AS count,
         greatest(0, extract(epoch FROM now() - min(start_after)))::float8 AS "oldestSeconds"
  FROM pgboss.job WHERE state IN ('created', 'retry', 'active') AND name NOT LIKE '\\_\\_%' GROUP BY 1, 2`;

/**
 * Makes jobs of a killed process runnable now instead of after their heartbeat expires. Their retry
 * count stays: the process died, the job did not fail.
 */
async function returnOrphans({ pool }: Connection): Promise<void> {
  await pool.query(
    "UPDATE pgboss.job SET state = 'retry', start_after = now(), started_on = NULL, heartbeat_on = NULL WHERE state = 'active'",
  );
}
