import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Connection } from '../../db/database.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { LiveBus } from '../../live/bus.ts';
import type { LiveSockets } from '../../live/sockets.ts';
import type { FileStore } from '../../ports/file-store.ts';
import { UPSTREAM_ERRORS, type UpstreamError } from '../../ports/upstream-error.ts';
import type { FinishedRequest } from '../../request-context.ts';
import type { Sync } from '../sync/sync.service.ts';

export interface MetricsDependencies {
  connection: Connection;
  bus: LiveBus;
  queue: JobQueue;
  sockets: LiveSockets;
  files: FileStore;
  sync: Sync;
}

/** Seconds: a list in a few milliseconds, a large upload in many. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What Prometheus reads of this process. Labels come from closed lists only: routes, statuses, jobs, kinds of errors. */
export class Metrics {
  readonly #on: MetricsDependencies;
  readonly #registry = new Registry();
  readonly #readings: (() => Promise<void>)[] = [];
  readonly #forget: (() => void)[] = [];
  #text: Promise<string> | null = null;
  readonly #requests = this.#histogram('http_request_duration_seconds', 'Requests, by route', [
    'method',
    'route',
    'status',
  ]);
  readonly #steps = this.#counter('interviews_steps_ended_total', 'Steps that ended', ['step', 'outcome']);
  readonly #upstream = this.#counter('interviews_upstream_errors_total', 'Failed calls of services', [
    'service',
    'kind',
  ]);
  readonly #onUpstreamError = (error: unknown) => {
    const { service, kind } = error as UpstreamError;
    this.#upstream.inc({ service, kind });
  };

  constructor(dependencies: MetricsDependencies) {
    this.#on = dependencies;
    collectDefaultMetrics({ register: this.#registry });
    subscribe(UPSTREAM_ERRORS, this.#onUpstreamError);
    dependencies.bus.on('step', (announced) => this.#stepEnded(announced));
    this.#watchDatabase();
    this.#watchJobs();
    this.#watchRefresh();
    this.#watchSockets();
    this.#watchFiles();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** What there is to read now. Who asks meanwhile gets the same: a reading begins by forgetting the last one. */
  text(): Promise<string> {
    this.#text ??= this.#read().finally(() => {
      this.#text = null;
    });
    return this.#text;
  }

  requestFinished({ method, route, status, seconds }: FinishedRequest): void {
    this.#requests.observe({ method, route, status }, seconds);
  }

  close(): void {
    unsubscribe(UPSTREAM_ERRORS, this.#onUpstreamError);
    this.#registry.clear();
  }

  /** Looks at everything first: a gauge is written out as soon as it has been read itself. */
  async #read(): Promise<string> {
    for (const forget of this.#forget) forget();
    await Promise.all(this.#readings.map((read) => read()));
    return this.#registry.metrics();
  }

  /** `conversion-completed iv_1`. */
  #stepEnded(announced: string): void {
    const [, step, outcome] = /^(\w+)-(completed|failed) /.exec(announced) ?? [];
    if (step && outcome) this.#steps.inc({ step, outcome });
  }

  #watchDatabase(): void {
    const { pool } = this.#on.connection;
    this.#gauge('interviews_database_connections', 'Connections of the pool, by state', ['state'], (gauge) => {
      gauge.set({ state: 'idle' }, pool.idleCount);
      gauge.set({ state: 'used' }, pool.totalCount - pool.idleCount);
    });
    this.#gauge('interviews_database_waiting', 'Queries that wait for a connection', [], (gauge) =>
      gauge.set(pool.waitingCount),
    );
    this.#gauge(
      'interviews_database_answer_seconds',
      'Wait for a connection and the simplest query',
      [],
      async (gauge) => {
        const startedAt = performance.now();
        await pool.query('SELECT 1');
        gauge.set((performance.now() - startedAt) / 1_000);
      },
    );
    this.#gauge('interviews_database_up', '1 while announcements of the database are heard', [], (gauge) =>
      gauge.set(this.#on.bus.connected ? 1 : 0),
    );
  }

  #watchJobs(): void {
    const oldest = this.#gauge('interviews_job_oldest_seconds', 'How long the oldest job has been due', ['job']);
    this.#gauge('interviews_jobs', 'Jobs, by kind and state', ['job', 'state'], async (gauge) => {
      for (const { job, state, count, oldestSeconds } of await this.#on.queue.depth()) {
        gauge.set({ job, state }, count);
        if (state === 'waiting') oldest.set({ job }, oldestSeconds);
      }
    });
  }

  #watchRefresh(): void {
    const read = this.#gauge('interviews_refresh_processed', 'Interviews that the last refresh has read', []);
    const failed = this.#gauge('interviews_refresh_failed', '1 while the last refresh is one that failed', []);
    this.#gauge('interviews_refresh_running', '1 while a refresh runs', [], async (gauge) => {
      const { inProgress, processed, error } = await this.#on.sync.status();
      gauge.set(inProgress ? 1 : 0);
      read.set(processed);
      failed.set(error === null ? 0 : 1);
    });
  }

  #watchSockets(): void {
    this.#gauge('interviews_sockets', 'Live connections of browsers', [], (gauge) => gauge.set(this.#on.sockets.size));
  }

  #watchFiles(): void {
    const free = this.#gauge('interviews_files_free_bytes', 'Free bytes of the file store', []);
    this.#gauge('interviews_files_writable', '1 while files can be stored', [], async (gauge) => {
      gauge.set(0);
      const { freeBytes } = await this.#on.files.probe();
      gauge.set(1);
      if (freeBytes !== null) free.set(freeBytes);
    });
  }

  #histogram<Label extends string>(name: string, help: string, labelNames: Label[]): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: BUCKETS, registers: [this.#registry] });
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  /** What cannot be found out now is left out, and the rest is answered. */
  #gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label> {
    const gauge = new Gauge({ name, help, labelNames, registers: [this.#registry] });
    this.#forget.push(() => {
      gauge.reset();
      // One without labels is reset to 0, which is a claim, too.
      if (labelNames.length === 0) gauge.remove();
    });
    if (read) this.#readings.push(async () => Promise.resolve(read(gauge)).catch(() => {}));
    return gauge;
  }
}
