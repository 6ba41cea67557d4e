import type { FastifyBaseLogger } from 'fastify';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { LiveBus } from '../live/bus.ts';
import type { JobDefinition } from './job.ts';
import { runJob } from './run-job.ts';

/** Looks for jobs this often although nothing was announced: retries come due, and announcements can be missed. */
const POLL_MS = 2_000;

interface WorkerOptions {
  bus: LiveBus;
  log: FastifyBaseLogger;
  heartbeatSeconds: number;
}

export interface Worker {
  stop(graceMs: number): Promise<void>;
}

/** Runs jobs of one kind, up to its concurrency, as soon as they are there. */
export function startWorker(boss: PgBoss, job: JobDefinition, { bus, log, heartbeatSeconds }: WorkerOptions): Worker {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let looking = false;
  let lookAgain = false;

  const look = async () => {
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = true;
    try {
      do {
        lookAgain = false;
        const free = job.concurrency - running.size;
        if (free <= 0 || stopping.signal.aborted) break;
        const jobs = await boss.fetch<object>(job.name, { batchSize: free, includeMetadata: true });
        for (const claimed of jobs) start(claimed);
      } while (lookAgain);
    } catch (error) {
      log.warn({ err: error, job: job.name }, 'could not look for jobs; trying again');
    } finally {
      looking = false;
    }
  };

  const start = (claimed: JobWithMetadata<object>) => {
    const done = runJob(boss, job, claimed, { stopping: stopping.signal, log, heartbeatSeconds }).finally(() => {
      running.delete(done);
      void look();
    });
    running.add(done);
  };

  bus.on('jobs', (name) => {
    if (name === job.name) void look();
  });
  const timer = setInterval(look, POLL_MS);
  void look();

  return {
    async stop(graceMs) {
      clearInterval(timer);
      stopping.abort(new Error('The process is shutting down'));
      const late = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
      await Promise.race([Promise.allSettled(running), late]);
    },
  };
}
