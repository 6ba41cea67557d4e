import { randomUUID } from 'node:crypto';
import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { JobContext } from '#server/jobs/job.ts';
import { FileStoreError } from '#server/ports/file-store.ts';
import type { Log } from '#server/ports/log.ts';
import { UnreadableRecording } from '#server/ports/recordings.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { StepError, StepLost, type StepOutcome, type StepWork } from './step-outcome.ts';
import { retryDelayMs, waitingNote } from './step-retry.ts';
import { claimStepRun, lockStepRun, type StepRun, type UnclaimedRun, updateFailures } from './step-runs.repo.ts';
import type { StepTransitions } from './step-transitions.ts';

export interface StepWorkerDeps {
  db: Database;
  log: Log;
  retry: RetryPolicy;
  transitions: StepTransitions;
}

interface Failure {
  error: unknown;
  /** How often this run failed before. */
  earlierFailures: number;
  /** True when the queue will not repeat the job after this. */
  isLastAttempt: boolean;
}

const UNEXPECTED = 'Something went wrong. Try again.';
const TRY_LATER = 'Try again later.';

/** Performs steps from their claim to their end: every run completes, fails, or resumes later. */
export class StepWorker {
  readonly #deps: StepWorkerDeps;

  constructor(deps: StepWorkerDeps) {
    this.#deps = deps;
  }

  async runStep(unclaimed: UnclaimedRun, work: StepWork, { signal, isLastAttempt }: JobContext): Promise<void> {
    const run = { ...unclaimed, worker: randomUUID() };
    const claim = await claimStepRun(this.#deps.db, run);
    // The step was ended by hand, or deleted with its interview.
    if (!claim) return;
    try {
      // Running again: clear the waiting note.
      if (claim.note !== null) await this.#ifOwned(run, (tx) => this.#deps.transitions.setNote(tx, run, null));
      const outcome = await work({
        run,
        funnelId: claim.funnel_id,
        signal,
        transaction: async (inside) => {
          const done = await this.#ifOwned(run, inside);
          if (!done) throw new StepLost();
          return done.value;
        },
      });
      await this.#finish(run, outcome);
    } catch (error) {
      if (error instanceof StepLost) return;
      signal.throwIfAborted();
      await this.#settle(run, { error, earlierFailures: claim.failures, isLastAttempt });
    }
  }

  /** Fails a step whose job no longer exists. */
  async failAbandonedStep(unclaimed: UnclaimedRun, error: string): Promise<void> {
    const run = { ...unclaimed, worker: randomUUID() };
    if (await claimStepRun(this.#deps.db, run)) await this.#fail(run, error);
  }

  /** Stores the result and ends the step in one transaction, or postpones the step. */
  async #finish(run: StepRun, outcome: StepOutcome): Promise<void> {
    const { transitions } = this.#deps;
    await this.#ifOwned(run, async (tx) => {
      if (outcome.status === 'wait') await transitions.postponeStep(tx, run, outcome.ms);
      else if (await outcome.store(tx)) await transitions.endStep(tx, run, { error: null, note: outcome.note ?? null });
      else await transitions.postponeStep(tx, run, 0);
    });
  }

  /** Retries later, fails the step, or rethrows so that the queue retries. */
  async #settle(run: StepRun, { error, earlierFailures, isLastAttempt }: Failure): Promise<void> {
    if (isRetryable(error)) {
      const { retry, log } = this.#deps;
      const requestedMs = error instanceof UpstreamError ? error.retryAfterMs : undefined;
      const ms = retryDelayMs(retry, earlierFailures, requestedMs);
      log.warn({ err: error, step: run.step, interviewId: run.interviewId, ms }, 'a step failed and may be retried');
      const failures = earlierFailures + 1;
      if (failures >= retry.tries) return this.#fail(run, `${error.message} ${TRY_LATER}`);
      return this.#retryLater(run, { failures, ms, note: waitingNote(error.message, ms) });
    }
    if (hasUserMessage(error)) return this.#fail(run, error.message, error instanceof StepError && error.isPermanent);
    if (isLastAttempt) await this.#fail(run, UNEXPECTED);
    throw error;
  }

  async #retryLater(run: StepRun, { failures, ms, note }: { failures: number; ms: number; note: string }) {
    const { transitions } = this.#deps;
    await this.#ifOwned(run, async (tx) => {
      await updateFailures(tx, run, failures);
      await transitions.setNote(tx, run, note);
      await transitions.postponeStep(tx, run, ms);
    });
  }

  async #fail(run: StepRun, error: string, isPermanent = false): Promise<void> {
    await this.#ifOwned(run, (tx) => this.#deps.transitions.endStep(tx, run, { error, note: null, isPermanent }));
  }

  /**
   * Runs `work` in a transaction that locks the run. Null, without running it, when another worker
   * owns the run or it ended.
   */
  #ifOwned<T>(run: StepRun, work: (tx: Executor) => Promise<T>): Promise<{ value: T } | null> {
    return this.#deps.db
      .transaction()
      .execute(async (tx) => ((await lockStepRun(tx, run)) ? { value: await work(tx) } : null));
  }
}

const isRetryable = (error: unknown): error is StepError | UpstreamError | FileStoreError =>
  (error instanceof StepError || error instanceof UpstreamError || error instanceof FileStoreError) &&
  error.isRetryable;

/** True for errors whose message is for the user and that would only repeat. */
const hasUserMessage = (error: unknown): error is Error =>
  [StepError, UpstreamError, FileStoreError, UnreadableRecording, AppError].some((kind) => error instanceof kind);
