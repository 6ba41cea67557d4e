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
import { updateWaitingToDue } from './jobs.repo.ts';
import { ACTOR, HEARTBEAT_SECONDS } from './run-job.ts';
import { startWorker, type Worker } from './worker.ts';

/** How often pg-boss looks for expired heartbeats. */
const MONITOR_INTERVAL_SECONDS = 3;

/** Jobs of one type and state. `waiting` jobs are due now, `later` ones are not due yet. */
export interface QueueDepth {
  job: string;
  state: 'waiting' | 'later' | 'running';
  count: number;
  /** How long the oldest of them has been due. */
  oldestSeconds: number;
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
 * Creates or upgrades the tables of the queue, as their owner. `JobQueue` does neither. Processes
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

interface BossOptions {
  /** Whether missing tables are created. */
  migrate: boolean;
  /** Whether this process looks for jobs of dead workers. */
  supervise: boolean;
}

/** Enqueues jobs, which the server runs now or after its next start. */
export class JobSender {
  /** Nothing can be enqueued before. */
  readonly opened: Promise<unknown>;
  protected readonly boss: PgBoss;
  protected readonly pool: pg.Pool;

  constructor({ pool }: Connection, { migrate, supervise }: BossOptions = { migrate: true, supervise: false }) {
    this.boss = new PgBoss({
      ...bossOptions(pool),
      migrate,
      supervise,
      superviseIntervalSeconds: MONITOR_INTERVAL_SECONDS,
      monitorIntervalSeconds: MONITOR_INTERVAL_SECONDS,
    });
    this.pool = pool;
    this.opened = this.boss.start();
    // Callers await `opened`; this only prevents an unhandled rejection.
    this.opened.catch(() => {});
  }

  /** Creates the queues of these job types. Nothing of a type can be enqueued before. */
  async prepare(jobs: readonly JobDefinition[]): Promise<void> {
    await this.opened;
    // One query for all: creating a queue that exists costs a transaction each.
    const existing = new Set((await this.boss.getQueues()).map(({ name }) => name));
    const missing = jobs.filter(({ name }) => !existing.has(name));
    for (const job of missing) await this.boss.createQueue(job.name, queueOptions(job));
  }

  /**
   * Enqueues in the caller's transaction. The job runs after the commit, or at `startAt`. Returns
   * its id.
   */
  async enqueue<Payload extends z.ZodType>(
    tx: Executor,
    job: JobType<Payload>,
    payload: z.input<Payload>,
    startAt?: Date,
  ): Promise<string> {
    const start = startAt && { startAfter: startAt };
    const id = await this.boss.send(job.name, dataOf(job, payload), { db: fromKysely(tx), ...start });
    if (id === null) throw new Error(`The queue ${job.name} did not accept a job`);
    if (!startAt) await announce(tx, 'jobs', job.name);
    return id;
  }

  /** Makes a delayed job due now. Does nothing once it has begun. */
  async hurry(tx: Executor, { name }: JobType, id: string): Promise<void> {
    await updateWaitingToDue(tx, name, id);
    await announce(tx, 'jobs', name);
  }

  /** Enqueues many jobs of one type with one statement. */
  async enqueueAll<Payload extends z.ZodType>(
    tx: Executor,
    job: JobType<Payload>,
    payloads: readonly z.input<Payload>[],
  ): Promise<void> {
    if (payloads.length === 0) return;
    const jobs = payloads.map((payload) => ({ data: dataOf(job, payload) }));
    await this.boss.insert(job.name, jobs, { db: fromKysely(tx) });
    await announce(tx, 'jobs', job.name);
  }

  /** True while a job with this payload is waiting, running or waiting for a retry. */
  async hasOpenJob<Payload extends z.ZodType>(job: JobType<Payload>, payload: z.input<Payload>): Promise<boolean> {
    const { rows } = await this.pool.query<{ open: boolean }>(
      "SELECT EXISTS (SELECT 1 FROM pgboss.job WHERE name = $1 AND data @> $2 AND state IN ('created', 'retry', 'active')) AS open",
      [job.name, JSON.stringify(job.payload.parse(payload))],
    );
    return rows[0]?.open ?? false;
  }

  async close(): Promise<void> {
    await this.opened.then(
      () => this.boss.stop({ graceful: false }),
      () => {},
    );
  }
}

/** pg-boss stores the jobs; our own workers run them without delay (docs/decisions/0004). */
export class JobQueue extends JobSender {
  readonly #log: Log;
  readonly #workers: Worker[] = [];
  #isRunning = false;

  constructor(connection: Connection, log: Log, { supervise }: Pick<BossOptions, 'supervise'>) {
    super(connection, { migrate: false, supervise });
    this.#log = log;
    this.boss.on('error', (error) => log.warn({ err: error }, 'pg-boss reported an error; it recovers without help'));
  }

  async depth(): Promise<QueueDepth[]> {
    return (await this.pool.query<QueueDepth>(DEPTH)).rows;
  }

  /** True from `start` until `stop`. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Starts a worker for each prepared job type. */
  async start(jobs: readonly JobDefinition[], { bus, hasExclusiveDatabase }: StartOptions): Promise<void> {
    if (hasExclusiveDatabase) await this.pool.query(RETURN_ORPHANS);
    this.#isRunning = true;
    for (const job of jobs) this.#workers.push(startWorker(this.boss, job, { bus, log: this.#log }));
  }

  /** Stops claiming jobs, aborts the running ones and waits for them, `graceMs` at most. */
  async stop(graceMs: number): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#workers.map((worker) => worker.stop(graceMs)));
    await this.close();
  }
}

const dataOf = (job: JobType, payload: unknown) => ({
  ...(job.payload.parse(payload) as object),
  [ACTOR]: currentActor(),
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
const RETURN_ORPHANS =
  "UPDATE pgboss.job SET state = 'retry', start_after = now(), started_on = NULL, heartbeat_on = NULL WHERE state = 'active'";
