import type { FastifyBaseLogger } from 'fastify';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { runForRequest } from '../request-context.ts';
import type { JobDefinition } from './job.ts';

/** Beside a job's payload: the request that it was enqueued for, so that its lines in the log can be found by that. */
export const REQUEST_ID = '_requestId';

type Claimed = JobWithMetadata<object>;

interface RunOptions {
  stopping: AbortSignal;
  log: FastifyBaseLogger;
  heartbeatSeconds: number;
}

/** Runs one claimed job to its end and tells the queue how it ended. Never rejects. */
export async function runJob(boss: PgBoss, job: JobDefinition, claimed: Claimed, options: RunOptions): Promise<void> {
  const { stopping, heartbeatSeconds } = options;
  const { [REQUEST_ID]: requestId } = claimed.data as Record<string, unknown>;
  const isAsked = typeof requestId === 'string';
  const log = isAsked ? options.log.child({ requestId }) : options.log;
  const lost = new AbortController();
  const stopHeartbeat = startHeartbeat(boss, claimed, heartbeatSeconds, { lost, log });
  const startedAt = performance.now();
  try {
    const payload = job.payload.parse(claimed.data);
    const attempt = { attempt: claimed.retryCount, lastAttempt: claimed.retryCount >= claimed.retryLimit };
    const run = () => job.run(payload, { signal: AbortSignal.any([stopping, lost.signal]), ...attempt });
    await (isAsked ? runForRequest(requestId, run) : run());
    await settle(boss, claimed, 'complete', { output: null, log });
    log.info({ job: job.name, id: claimed.id, ms: Math.round(performance.now() - startedAt) }, 'job done');
  } catch (error) {
    if (lost.signal.aborted) return;
    // A shutdown is no failure: the job goes back and the next process goes on with it.
    if (stopping.aborted) await release(boss, claimed, log);
    else {
      log.warn({ err: error, job: job.name, id: claimed.id, attempt: claimed.retryCount }, 'job failed');
      const output = { message: error instanceof Error ? error.message : String(error) };
      await settle(boss, claimed, 'fail', { output, log });
    }
  } finally {
    stopHeartbeat();
  }
}

/** Says that the job is still being worked on, until the returned function is called; aborts `lost` when somebody else has it. */
function startHeartbeat(
  boss: PgBoss,
  { name, id, retryCount }: Claimed,
  heartbeatSeconds: number,
  { lost, log }: { lost: AbortController; log: FastifyBaseLogger },
): () => void {
  const beat = () =>
    boss.touch(name, { id, retryCount }).then(
      (touched) => {
        // pg-boss answers how many jobs it touched; its types leave the field out.
        if ('affected' in touched && touched.affected === 0) lost.abort(new Error('Another worker took this job over'));
      },
      (error) => log.warn({ err: error, job: name }, 'heartbeat failed'),
    );
  const timer = setInterval(beat, (heartbeatSeconds * 1_000) / 4);
  return () => clearInterval(timer);
}

async function settle(
  boss: PgBoss,
  { name, id, retryCount }: Claimed,
  how: 'complete' | 'fail',
  { output, log }: { output: object | null; log: FastifyBaseLogger },
): Promise<void> {
  await boss[how](name, { id, retryCount }, output).catch((error) =>
    log.error({ err: error, job: name }, 'could not settle a job; it will be taken up again'),
  );
}

async function release(boss: PgBoss, { name, id }: Claimed, log: FastifyBaseLogger): Promise<void> {
  const sql =
    "UPDATE pgboss.job SET state = 'retry', start_after = now(), started_on = NULL, heartbeat_on = NULL WHERE name = $1 AND id = $2 AND state = 'active'";
  await boss
    .getDb()
    .executeSql(sql, [name, id])
    .catch((error) => log.warn({ err: error, job: name }, 'could not hand a job back; its heartbeat will'));
}
