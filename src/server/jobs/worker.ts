import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { coalesce } from '#server/async/single-flight.ts';
import type { LiveBus } from '#server/live/bus.ts';
import type { Log } from '#server/ports/log.ts';
import type { JobDefinition } from './job.ts';
import { runJob } from './run-job.ts';

/** Polling finds retries that come due and jobs whose announcement was missed. */
const POLL_INTERVAL_MS = 2_000;

interface WorkerOptions {
  bus: LiveBus;
  log: Log;
}

export interface Worker {
  stop(graceMs: number): Promise<void>;
}

/** Runs jobs of one type, up to its concurrency, as soon as they are announced. */
export function startWorker(boss: PgBoss, job: JobDefinition, { bus, log }: WorkerOptions): Worker {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const fetchJobs = coalesce(async () => {
    const free = job.concurrency - running.size;
    if (free <= 0 || stopping.signal.aborted) return;
    try {
      const jobs = await boss.fetch<object>(job.name, { batchSize: free, includeMetadata: true });
      for (const claimed of jobs) startJob(claimed);
    } catch (error) {
      log.warn({ err: error, job: job.name }, 'could not fetch jobs; retrying');
    }
  });

  const startJob = (claimed: JobWithMetadata<object>) => {
    const done = runJob(boss, job, claimed, { stopping: stopping.signal, log }).finally(() => {
      running.delete(done);
      void fetchJobs();
    });
    running.add(done);
  };

  bus.on('jobs', (name) => {
    if (name === job.name) void fetchJobs();
  });
  const timer = setInterval(fetchJobs, POLL_INTERVAL_MS);
  void fetchJobs();

  return {
    async stop(graceMs) {
      clearInterval(timer);
      stopping.abort(new Error('The process is shutting down'));
      const late = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
      // A claim in progress may still start jobs, which return to the queue immediately. This call
      // waits for it and claims nothing itself.
      const ended = fetchJobs().then(() => Promise.allSettled(running));
      await Promise.race([ended, late]);
    },
  };
}
