import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { Actor } from '#contracts/logs.ts';
import type { Log } from '#server/ports/log.ts';
import { runAs, SYSTEM } from '#server/request-context.ts';
import type { JobDefinition } from './job.ts';

/** A field next to the payload's own: the actor who started the job, for its log entries. */
export const ACTOR = '_actor';

/** Without a heartbeat for this long, another worker claims the job. pg-boss accepts 10 or more. */
export const HEARTBEAT_SECONDS = 10;

type ClaimedJob = JobWithMetadata<object>;

interface RunOptions {
  stopping: AbortSignal;
  log: Log;
}

/**
 * Runs one claimed job to its end, on behalf of the actor who started it, and settles it in the
 * queue. Never rejects.
 */
export function runJob(boss: PgBoss, job: JobDefinition, claimed: ClaimedJob, options: RunOptions): Promise<void> {
  const actor = Actor.safeParse((claimed.data as Record<string, unknown>)[ACTOR]).data ?? SYSTEM;
  const log = actor.requestId === null ? options.log : options.log.child({ requestId: actor.requestId });
  return runAs(actor, () => runClaimed(boss, job, claimed, { ...options, log }));
}

async function runClaimed(
  boss: PgBoss,
  job: JobDefinition,
  claimed: ClaimedJob,
  { stopping, log }: RunOptions,
): Promise<void> {
  const lost = new AbortController();
  const stopHeartbeat = startHeartbeat(boss, claimed, { lost, log });
  const startedAt = performance.now();
  const { name, id, retryCount } = claimed;
  const claim = { id, retryCount };
  try {
    const payload = job.payload.parse(claimed.data);
    const isLastAttempt = retryCount >= claimed.retryLimit;
    await job.run(payload, { signal: AbortSignal.any([stopping, lost.signal]), isLastAttempt });
    await settle(job.isKept === false ? boss.deleteJob(name, claim) : boss.complete(name, claim), name, log);
    log.info({ job: name, id, ms: Math.round(performance.now() - startedAt) }, 'job done');
  } catch (error) {
    if (lost.signal.aborted) return;
    // A shutdown is not a failure: return the job to the queue for the next process.
    if (stopping.aborted) await returnToQueue(boss, claimed, log);
    else {
      log.warn({ err: error, job: name, id, attempt: retryCount }, 'job failed');
      const output = { message: error instanceof Error ? error.message : String(error) };
      await settle(boss.fail(name, claim, output), name, log);
    }
  } finally {
    stopHeartbeat();
  }
}

/** Returns a function that stops it. Aborts `lost` when another worker has claimed the job. */
function startHeartbeat(
  boss: PgBoss,
  { name, id, retryCount }: ClaimedJob,
  { lost, log }: { lost: AbortController; log: Log },
): () => void {
  const beat = () =>
    boss.touch(name, { id, retryCount }).then(
      (touched) => {
        // pg-boss returns the number of touched jobs; its types lack the field.
        if ('affected' in touched && touched.affected === 0) lost.abort(new Error('Another worker claimed this job'));
      },
      (error) => log.warn({ err: error, job: name }, 'heartbeat failed'),
    );
  const timer = setInterval(beat, (HEARTBEAT_SECONDS * 1_000) / 4);
  return () => clearInterval(timer);
}

async function settle(settled: Promise<unknown>, name: string, log: Log): Promise<void> {
  await settled.catch((error) => log.error({ err: error, job: name }, 'could not settle a job; it will run again'));
}

async function returnToQueue(boss: PgBoss, { name, id }: ClaimedJob, log: Log): Promise<void> {
  const sql =
    "UPDATE pgboss.job SET state = 'retry', start_after = now(), started_on = NULL, heartbeat_on = NULL WHERE name = $1 AND id = $2 AND state = 'active'";
  await boss
    .getDb()
    .executeSql(sql, [name, id])
    .catch((error) =>
      log.warn({ err: error, job: name }, 'could not return a job to the queue; its heartbeat expires'),
    );
}
