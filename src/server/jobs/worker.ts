import type { FastifyBaseLogger } from 'fastify';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { LiveBus } from '../live/bus.ts';
import { runForRequest } from '../request-context.ts';
import type { JobDefinition } from './job.ts';

/** Looks for jobs this often although nothing was announced: retries come due, and announcements can be missed. */
const POLL_MS = 2_000;

/** Beside a job's payload: the request that it was enqueued for, so that its lines in the log can be found by that. */
export const REQUEST_ID = '_requestId';

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

interface RunOptions {
  stopping: AbortSignal;
  log: FastifyBaseLogger;
  heartbeatSeconds: number;
}

/** Runs one claimed job to its end and tells the queue how it ended. Never rejects. */
async function runJob(
  boss: PgBoss,
  job: JobDefinition,
  claimed: JobWithMetadata<object>,
  options: RunOptions,
): Promise<void> {
  const { stopping, heartbeatSeconds } = options;
  const { [REQUEST_ID]: requestId } = claimed.data as Record<string, unknown>;
  const isAsked = typeof requestId === 'string';
  const log = isAsked ? options.log.child({ requestId }) : options.log;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const startedAt = performance.now();
  const heartbeat = setInterval(
    () => {
      boss.touch(job.name, { id: claimed.id, retryCount: claimed.retryCount }).then(
        (touched) => {
          // pg-boss answers how many jobs it touched; its types leave the field out.
          if ('affected' in touched && touched.affected === 0)
            lost.abort(new Error('Another worker took this job over'));
        },
        (error) => log.warn({ err: error, job: job.name }, 'heartbeat failed'),
      );
    },
    (heartbeatSeconds * 1_000) / 4,
  );

  const settle = async (how: 'complete' | 'fail', output: object | null) =>
    boss[how](job.name, { id: claimed.id, retryCount: claimed.retryCount }, output).catch((error) =>
      log.error({ err: error, job: job.name }, 'could not settle a job; it will be taken up again'),
    );
  try {
    const lastAttempt = claimed.retryCount >= claimed.retryLimit;
    const payload = job.payload.parse(claimed.data);
    const run = () => job.run(payload, { signal, attempt: claimed.retryCount, lastAttempt });
    await (isAsked ? runForRequest(requestId, run) : run());
    await settle('complete', null);
    log.info({ job: job.name, id: claimed.id, ms: Math.round(performance.now() - startedAt) }, 'job done');
  } catch (error) {
    if (lost.signal.aborted) return;
    // A shutdown is no failure: the job goes back and the next process goes on with it.
    if (stopping.aborted) await release(boss, job.name, claimed.id, log);
    else {
      log.warn({ err: error, job: job.name, id: claimed.id, attempt: claimed.retryCount }, 'job failed');
      await settle('fail', { message: error instanceof Error ? error.message : String(error) });
    }
  } finally {
    clearInterval(heartbeat);
  }
}

async function release(boss: PgBoss, name: string, id: string, log: FastifyBaseLogger): Promise<void> {
  const sql =
    "UPDATE pgboss.job SET state = 'retry', start_after = now(), started_on = NULL, heartbeat_on = NULL WHERE name = $1 AND id = $2 AND state = 'active'";
  await boss
    .getDb()
    .executeSql(sql, [name, id])
    .catch((error) => log.warn({ err: error, job: name }, 'could not hand a job back; its heartbeat will'));
}
