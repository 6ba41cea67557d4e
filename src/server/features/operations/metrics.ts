import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { singleFlight } from '#server/async/single-flight.ts';
import type { Connection } from '#server/db/database.ts';
import type { Logs } from '#server/features/logs/logs.service.ts';
import type { Sync } from '#server/features/sync/sync.service.ts';
import type { LiveWorkers } from '#server/jobs/live-workers.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { LiveBus } from '#server/live/bus.ts';
import type { LiveSockets } from '#server/live/sockets.ts';
import type { FileStore } from '#server/ports/file-store.ts';
import { reportedKind, UPSTREAM_ERRORS, type UpstreamError } from '#server/ports/upstream-error.ts';
import { RELEASE } from '#server/release.ts';
import type { FinishedRequest } from '#server/request-context.ts';

/** Metrics of outgoing webhooks. */
interface Deliveries {
  depth(): Promise<{ waiting: number; oldestSeconds: number; failingSeconds: number }>;
  /** Attempts of this process, by the state of the delivery after them. */
  attempts: Readonly<Record<'delivered' | 'pending' | 'failed', number>>;
}

export interface MetricsDeps {
  connection: Connection;
  bus: LiveBus;
  queue: JobQueue;
  workers: Pick<LiveWorkers, 'count'>;
  logs: Pick<Logs, 'findLastBackup'>;
  sockets: LiveSockets;
  files: FileStore;
  sync: Sync;
  deliveries: Deliveries;
  roles: readonly string[];
}

/** Upper bounds in seconds, from list queries to large uploads. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Outcomes of attempts to deliver an event, and the states of a delivery after them. */
const OUTCOMES = { delivered: 'delivered', repeated: 'pending', failed: 'failed' } as const;

/**
 * Metrics of this process for Prometheus. Labels come from closed lists: routes, statuses, jobs,
 * error kinds.
 */
export class Metrics {
  readonly #deps: MetricsDeps;
  readonly #registry = new Registry();
  readonly #readings: (() => Promise<void>)[] = [];
  readonly #resets: (() => void)[] = [];
  readonly #requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers: [this.#registry],
  });
  readonly #steps = this.#counter('interviews_steps_ended_total', 'Finished processing steps, by outcome', [
    'step',
    'outcome',
  ]);
  readonly #upstream = this.#counter('interviews_upstream_errors_total', 'Failed calls to external services', [
    'service',
    'kind',
  ]);
  readonly #onUpstreamError = (error: unknown) => {
    const { service, kind } = error as UpstreamError;
    this.#upstream.inc({ service, kind: reportedKind(kind) });
  };

  constructor(deps: MetricsDeps) {
    this.#deps = deps;
    collectDefaultMetrics({ register: this.#registry });
    subscribe(UPSTREAM_ERRORS, this.#onUpstreamError);
    for (const topic of ['step', 'step-of-bulk'] as const)
      deps.bus.on(topic, (announced) => this.#stepEnded(announced));
    this.#gauge('interviews_role', '1 for each role of this process', ['role'], (gauge) => {
      for (const role of deps.roles) gauge.set({ role }, 1);
    });
    this.#gauge('interviews_build_info', '1, with the release of this process', ['release'], (gauge) =>
      gauge.set({ release: RELEASE }, 1),
    );
    this.#watchDatabase();
    this.#watchJobs();
    this.#watchRefresh();
    this.#watchDeliveries();
    this.#gauge('interviews_sockets', 'Live browser connections', [], (gauge) => gauge.set(deps.sockets.size));
    this.#watchFiles();
    this.#watchBackups();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /**
   * The metrics in Prometheus' text format. Callers share a reading, because it resets the gauges.
   */
  readonly text = singleFlight(() => this.#read());

  requestFinished({ method, route, status, seconds }: FinishedRequest): void {
    this.#requests.observe({ method, route, status }, seconds);
  }

  close(): void {
    unsubscribe(UPSTREAM_ERRORS, this.#onUpstreamError);
    this.#registry.clear();
  }

  /** Reads all gauges before formatting, because one reading may set several gauges. */
  async #read(): Promise<string> {
    for (const reset of this.#resets) reset();
    await Promise.all(this.#readings.map((read) => read()));
    return this.#registry.metrics();
  }

  /** @param announced for example `conversion-completed iv_1` */
  #stepEnded(announced: string): void {
    const [, step, outcome] = /^(\w+)-(completed|failed) /.exec(announced) ?? [];
    if (step && outcome) this.#steps.inc({ step, outcome });
  }

  #watchDatabase(): void {
    const { pool } = this.#deps.connection;
    this.#gauge('interviews_database_connections', 'Pool connections, by state', ['state'], (gauge) => {
      gauge.set({ state: 'idle' }, pool.idleCount);
      gauge.set({ state: 'used' }, pool.totalCount - pool.idleCount);
    });
    this.#gauge('interviews_database_waiting', 'Queries waiting for a connection', [], (gauge) =>
      gauge.set(pool.waitingCount),
    );
    this.#gauge(
      'interviews_database_answer_seconds',
      'Time to get a connection and run SELECT 1',
      [],
      async (gauge) => {
        const startedAt = performance.now();
        await pool.query('SELECT 1');
        gauge.set((performance.now() - startedAt) / 1_000);
      },
    );
    this.#gauge('interviews_database_up', '1 while database notifications are received', [], (gauge) =>
      gauge.set(this.#deps.bus.connected ? 1 : 0),
    );
  }

  #watchJobs(): void {
    const oldest = this.#gauge('interviews_job_oldest_seconds', 'How long the oldest job has been due', ['job']);
    this.#gauge('interviews_jobs', 'Jobs, by kind and state', ['job', 'state'], async (gauge) => {
      for (const { job, state, count, oldestSeconds } of await this.#deps.queue.depth()) {
        gauge.set({ job, state }, count);
        if (state === 'waiting') oldest.set({ job }, oldestSeconds);
      }
    });
    this.#gauge('interviews_workers', 'Worker processes of the installation', [], async (gauge) =>
      gauge.set(await this.#deps.workers.count()),
    );
  }

  #watchRefresh(): void {
    const read = this.#gauge('interviews_refresh_processed', 'Interviews read by the last refresh', []);
    const failed = this.#gauge('interviews_refresh_failed', '1 if the last refresh failed', []);
    this.#gauge('interviews_refresh_running', '1 while a refresh is running', [], async (gauge) => {
      const { inProgress, processed, error } = await this.#deps.sync.status();
      gauge.set(inProgress ? 1 : 0);
      read.set(processed);
      failed.set(error === null ? 0 : 1);
    });
  }

  #watchDeliveries(): void {
    const { deliveries } = this.#deps;
    const oldest = this.#gauge('interviews_webhook_oldest_seconds', 'How long the oldest delivery has been due', []);
    const failing = this.#gauge('interviews_webhook_failing_seconds', 'How long every attempt of a webhook failed', []);
    this.#gauge('interviews_webhook_deliveries', 'Deliveries of webhooks that wait', [], async (gauge) => {
      const { waiting, oldestSeconds, failingSeconds } = await deliveries.depth();
      gauge.set(waiting);
      oldest.set(oldestSeconds);
      failing.set(failingSeconds);
    });
    const attempts = this.#counter('interviews_webhook_attempts_total', 'Attempts to deliver an event, by outcome', [
      'outcome',
    ]);
    this.#readings.push(async () => {
      attempts.reset();
      for (const [outcome, count] of Object.entries(OUTCOMES)) attempts.inc({ outcome }, deliveries.attempts[count]);
    });
  }

  #watchFiles(): void {
    const free = this.#gauge('interviews_files_free_bytes', 'Free bytes of the file store, unless it is a bucket', []);
    const spool = this.#gauge(
      'interviews_spool_free_bytes',
      'Free bytes where files are written before they are stored',
      [],
    );
    this.#gauge('interviews_files_writable', '1 while files can be stored', [], async (gauge) => {
      gauge.set(0);
      const { freeBytes, spoolFreeBytes } = await this.#deps.files.probe();
      gauge.set(1);
      if (freeBytes !== null) free.set(freeBytes);
      spool.set(spoolFreeBytes);
    });
  }

  #watchBackups(): void {
    const help = 'When the last backup was completed, in seconds of the epoch';
    this.#gauge('interviews_last_backup_timestamp_seconds', help, [], async (gauge) => {
      const at = await this.#deps.logs.findLastBackup();
      if (at !== null) gauge.set(at.getTime() / 1_000);
    });
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  /** A gauge whose reading fails is left out of the output. */
  #gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label> {
    const gauge = new Gauge({ name, help, labelNames, registers: [this.#registry] });
    this.#resets.push(() => {
      gauge.reset();
      // Without labels, `reset` sets 0, which would be a false value.
      if (labelNames.length === 0) gauge.remove();
    });
    if (read) this.#readings.push(async () => Promise.resolve(read(gauge)).catch(() => {}));
    return gauge;
  }
}
