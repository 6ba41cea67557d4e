import { randomUUID } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import type { z } from 'zod';
import type { Executor } from '#server/db/database.ts';
import { defineJob, type JobContext, type JobDefinition } from '#server/jobs/job.ts';
import { listWithoutJob } from '#server/jobs/jobs.repo.ts';
import type { Log } from '#server/ports/log.ts';
import { type ClaimedRun, ENDS_PROCESS, MAX_LOST_ATTEMPTS, type RunKind, RunLost } from './run.ts';

interface AbandonedKind {
  name: string;
  open: RawBuilder<unknown>;
  fail(payload: unknown): Promise<void>;
}

/** Performs runs of every kind from their claim to their end: each ends, or resumes later. */
export class Runs {
  readonly #deps: { db: Executor; log: Log };
  readonly #process = randomUUID();
  readonly #kinds: AbandonedKind[] = [];

  constructor(deps: { db: Executor; log: Log }) {
    this.#deps = deps;
  }

  /** Returns the job that performs runs of this kind. */
  define<Payload extends z.ZodType, Run extends ClaimedRun>(kind: RunKind<Payload, Run>): JobDefinition<Payload> {
    const { name, payload: schema, retries, concurrency, open } = kind;
    const fail = async (payload: unknown) => {
      const run = await kind.claim(schema.parse(payload), this.#newAttempt());
      if (!run) return;
      await kind.fail(run, kind.errors.interrupted ?? kind.errors.unexpected);
      await this.#release(kind, run, false);
    };
    this.#kinds.push({ name, open, fail });
    return defineJob({
      ...{ name, payload: schema, retries, concurrency },
      run: (payload, context) => this.#attempt(kind, payload, context),
    });
  }

  /** Fails runs whose job no longer exists: the retries were used up, or the queue was emptied. */
  async endAbandoned(): Promise<void> {
    const { db, log } = this.#deps;
    for (const { name, payload } of await listWithoutJob(db, this.#kinds)) {
      const failed = this.#kinds.find((kind) => kind.name === name)?.fail(payload);
      // One run that cannot end must not keep the others.
      await failed?.catch((error) => log.warn({ err: error, job: name, payload }, 'could not end an abandoned run'));
    }
  }

  /** Throws when the queue should repeat the job. Its last attempt ends the run. */
  async #attempt<Payload extends z.ZodType, Run extends ClaimedRun>(
    kind: RunKind<Payload, Run>,
    payload: z.output<Payload>,
    { signal, isLastAttempt }: JobContext,
  ): Promise<void> {
    const run = await kind.claim(payload, this.#newAttempt());
    if (!run) return;
    try {
      if (run.lost_attempts < (kind.maxLostAttempts ?? MAX_LOST_ATTEMPTS)) await kind.perform(run, signal);
      else await kind.fail(run, kind.errors.endsProcess ?? ENDS_PROCESS);
    } catch (error) {
      if (error instanceof RunLost) return;
      signal.throwIfAborted();
      if (await kind.settle?.(run, error, isLastAttempt)) return;
      if (isLastAttempt) await kind.fail(run, kind.errors.unexpected);
      throw error;
    } finally {
      await this.#release(kind, run, signal.aborted);
    }
  }

  /**
   * If the database is unavailable, the attempt counts as lost unless this process claims the run
   * again.
   */
  async #release<Run extends ClaimedRun>(
    kind: Pick<RunKind<z.ZodType, Run>, 'name' | 'release'>,
    run: Run,
    isInterrupted: boolean,
  ): Promise<void> {
    // An interrupted attempt has not shown that its work leaves the process alive.
    await kind
      .release(run, isInterrupted ? {} : { lost_attempts: 0 })
      .catch((error) => this.#deps.log.warn({ err: error, job: kind.name }, 'could not release a run'));
  }

  #newAttempt() {
    return { process: this.#process, worker: randomUUID() };
  }
}
