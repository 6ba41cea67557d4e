import type { Step } from '#contracts/rules/steps.ts';
import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import { FileStoreError } from '#server/ports/file-store.ts';
import type { Log } from '#server/ports/log.ts';
import { UnreadableRecording } from '#server/ports/recordings.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { RunLost } from '#server/runs/run.ts';
import type { Runs } from '#server/runs/runs.ts';
import { StepError, type StepWork } from './step-outcome.ts';
import { retryDelayMs, waitingNote } from './step-retry.ts';
import {
  claimStepRun,
  lockStepRun,
  openStepRuns,
  releaseStepRun,
  type StepRun,
  updateFailures,
} from './step-runs.repo.ts';
import { UNEXPECTED } from './step-texts.ts';
import { type StepTransitions, stepJob } from './step-transitions.ts';

export interface StepWorkerDeps {
  db: Database;
  log: Log;
  retry: RetryPolicy;
  runs: Runs;
  transitions: StepTransitions;
}

type ClaimedStep = StepRun & NonNullable<Awaited<ReturnType<typeof claimStepRun>>>;

const TRY_LATER = 'Try again later.';

/** Performs steps from their claim to their end: every run completes, fails, or resumes later. */
export class StepWorker {
  readonly #deps: StepWorkerDeps;

  constructor(deps: StepWorkerDeps) {
    this.#deps = deps;
  }

  /** Returns the job of a step. `concurrency` is for one process. */
  defineJob(step: Step, work: StepWork, concurrency: number) {
    const { db, runs } = this.#deps;
    return runs.define({
      ...stepJob(step),
      concurrency,
      open: openStepRuns(step),
      errors: { unexpected: UNEXPECTED, interrupted: 'Interrupted. Try again.' },
      claim: async (payload, { process, worker }): Promise<ClaimedStep | undefined> => {
        const run = { ...payload, step, worker };
        const claim = await claimStepRun(db, run, process);
        return claim && { ...run, ...claim };
      },
      perform: (run, signal) => this.#perform(run, work, signal),
      settle: (run, error) => this.#settle(run, error),
      fail: (run, error) => this.#fail(run, error),
      release: (run, columns) => releaseStepRun(db, run, columns),
    });
  }

  async #perform(run: ClaimedStep, work: StepWork, signal: AbortSignal): Promise<void> {
    const { transitions } = this.#deps;
    // Running again: clear the waiting note.
    if (run.note !== null) await this.#ifOwned(run, (tx) => transitions.setNote(tx, run, null));
    const outcome = await work({
      run,
      funnelId: run.funnel_id,
      signal,
      transaction: async (inside) => {
        const done = await this.#ifOwned(run, inside);
        if (!done) throw new RunLost();
        return done.value;
      },
    });
    await this.#ifOwned(run, async (tx) => {
      if (outcome.status === 'wait') await transitions.postponeStep(tx, run, outcome.ms);
      else if (await outcome.store(tx)) await transitions.endStep(tx, run, { error: null, note: outcome.note ?? null });
      else await transitions.postponeStep(tx, run, 0);
    });
  }

  /** Retries the step later, or fails it. Returns false for an unexpected error. */
  async #settle(run: ClaimedStep, error: unknown): Promise<boolean> {
    if (isRetryable(error)) {
      const { retry, log, transitions } = this.#deps;
      await this.#ifOwned(run, async (tx, { failures }) => {
        const requestedMs = error instanceof UpstreamError ? error.retryAfterMs : undefined;
        const ms = retryDelayMs(retry, failures, requestedMs);
        log.warn({ err: error, step: run.step, interviewId: run.interviewId, ms }, 'a step failed and may be retried');
        if (failures + 1 >= retry.tries)
          return transitions.endStep(tx, run, { error: `${error.message} ${TRY_LATER}`, note: null });
        await updateFailures(tx, run, failures + 1);
        await transitions.setNote(tx, run, waitingNote(error.message, ms));
        await transitions.postponeStep(tx, run, ms);
      });
      return true;
    }
    if (!hasUserMessage(error)) return false;
    await this.#fail(run, error.message, error instanceof StepError && error.isPermanent);
    return true;
  }

  async #fail(run: StepRun, error: string, isPermanent = false): Promise<void> {
    await this.#ifOwned(run, (tx) => this.#deps.transitions.endStep(tx, run, { error, note: null, isPermanent }));
  }

  /**
   * Runs `work` in a transaction that locks the run. Null, without running it, when another worker
   * owns the run or it ended.
   */
  #ifOwned<T>(
    run: StepRun,
    work: (tx: Executor, locked: { failures: number }) => Promise<T>,
  ): Promise<{ value: T } | null> {
    return this.#deps.db.transaction().execute(async (tx) => {
      const locked = await lockStepRun(tx, run);
      return locked ? { value: await work(tx, locked) } : null;
    });
  }
}

const isRetryable = (error: unknown): error is StepError | UpstreamError | FileStoreError =>
  (error instanceof StepError || error instanceof UpstreamError || error instanceof FileStoreError) &&
  error.isRetryable;

/** True for errors whose message is for the user and that would only repeat. */
const hasUserMessage = (error: unknown): error is Error =>
  [StepError, UpstreamError, FileStoreError, UnreadableRecording, AppError].some((kind) => error instanceof kind);
