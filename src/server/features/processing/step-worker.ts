import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Database, Executor } from '../../db/database.ts';
import type { JobContext } from '../../jobs/job.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import { announce } from '../../live/bus.ts';
import { FileStoreError } from '../../ports/file-store.ts';
import { UnreadableRecording } from '../../ports/recordings.ts';
import { UpstreamError } from '../../ports/upstream-error.ts';
import type { Logs } from '../logs/logs.service.ts';
import { StepFailed, StepHindered, StepLost, StepWaits } from './step-ended.ts';
import { stepEndEntry } from './step-log.ts';
import type { StepRetry } from './step-retry.ts';
import { delayMs, waitingNote } from './step-retry.ts';
import { claimRun, countFailure, endStep, holdRun, setNote } from './step-runs.repo.ts';
import { liveType, type StepRun, stepJobName } from './steps.ts';

export interface StepWorkerDependencies {
  db: Database;
  queue: JobQueue;
  logs: Logs;
  log: FastifyBaseLogger;
  retry: StepRetry;
  /** What follows from the end of a step, in its transaction. */
  afterEnd(tx: Executor, run: StepRun, error: string | null): Promise<void>;
}

/** What a step's work may use to keep what it has reached. */
export interface StepContext {
  run: StepRun;
  funnelId: number;
  title: string;
  signal: AbortSignal;
  /** A transaction in which the step is known to be still this process's. @throws StepLost */
  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T>;
}

export interface StepResult {
  /** Writes the result, in the transaction that ends the step. */
  store(tx: Executor): Promise<void>;
  /** In what it differs from what was asked for. */
  note?: string | null;
}
/** Does the step. */
export type StepWork = (context: StepContext) => Promise<StepResult>;

const UNEXPECTED = 'An unexpected problem stopped this step. Please try again.';
const TRY_LATER = 'Please try again later.';

/** Runs steps from their claim to their end: every run ends completed or failed, or goes on later. */
export class StepWorker {
  readonly #on: StepWorkerDependencies;

  constructor(dependencies: StepWorkerDependencies) {
    this.#on = dependencies;
  }

  async work(run: Omit<StepRun, 'worker'>, work: StepWork, { signal, lastAttempt }: JobContext): Promise<void> {
    const mine = { ...run, worker: randomUUID() };
    const claimed = await claimRun(this.#on.db, mine);
    // Ended by hand, or gone with its interview: nothing is left to do.
    if (!claimed) return;
    try {
      // It waits no longer, so why it has waited is no longer to be read.
      if (claimed.note !== null) await this.#transaction(mine, (tx) => this.#tell(tx, mine, null));
      const result = await work({
        run: mine,
        funnelId: claimed.funnel_id,
        title: claimed.title,
        signal,
        transaction: (inside) => this.#transaction(mine, inside),
      });
      await this.#end(mine, null, result);
    } catch (error) {
      if (error instanceof StepLost) return;
      signal.throwIfAborted();
      await unlessLost(this.#settle(mine, claimed.failures, error, lastAttempt));
    }
  }

  /** Ends a step as failed whose job is gone for good. */
  async fail(run: Omit<StepRun, 'worker'>, text: string): Promise<void> {
    const mine = { ...run, worker: randomUUID() };
    if (await claimRun(this.#on.db, mine)) await unlessLost(this.#end(mine, text));
  }

  /** Decides what an error means: later again, or the end. Throws what the queue shall try again. */
  async #settle(run: StepRun, failures: number, error: unknown, lastAttempt: boolean): Promise<void> {
    if (error instanceof StepWaits) return this.#later(run, error.ms, null);
    const { retry, log } = this.#on;
    if (mayPass(error)) {
      const ms = delayMs(retry, failures, error instanceof UpstreamError ? error.retryAfterMs : undefined);
      log.warn({ err: error, step: run.step, interviewId: run.interviewId, ms }, 'a step could not go on');
      if (failures + 1 < retry.tries) return this.#later(run, ms, waitingNote(error.message, ms));
      return this.#end(run, `${error.message} ${TRY_LATER}`);
    }
    if (isForPeople(error)) return this.#end(run, error.message);
    if (lastAttempt) await this.#end(run, UNEXPECTED);
    throw error;
  }

  /** Gives the place up; the same run goes on after so many milliseconds. A note counts as a failed try. */
  #later(run: StepRun, ms: number, note: string | null): Promise<void> {
    return this.#transaction(run, async (tx) => {
      if (note !== null) {
        await countFailure(tx, run);
        await this.#tell(tx, run, note);
      }
      const payload = { interviewId: run.interviewId, runId: run.runId };
      await this.#on.queue.enqueue(tx, stepJobName(run.step), payload, new Date(Date.now() + ms));
    });
  }

  async #tell(tx: Executor, run: StepRun, note: string | null): Promise<void> {
    await setNote(tx, run, note);
    await announce(tx, 'step', `${liveType(run.step, 'progress')} ${run.interviewId}`);
  }

  /** The result, the status, the log entry, the live message and what follows are one transaction. */
  #end(run: StepRun, error: string | null, result?: StepResult): Promise<void> {
    return this.#transaction(run, async (tx, title) => {
      await result?.store(tx);
      const end = { error, note: result?.note ?? null };
      await endStep(tx, run, end);
      await this.#on.logs.write(tx, stepEndEntry({ ...run, title, ...end }));
      await announce(tx, 'step', `${liveType(run.step, error === null ? 'completed' : 'failed')} ${run.interviewId}`);
      await this.#on.afterEnd(tx, run, error);
    });
  }

  #transaction<T>(run: StepRun, work: (tx: Executor, title: string) => Promise<T>): Promise<T> {
    return this.#on.db.transaction().execute(async (tx) => {
      const held = await holdRun(tx, run);
      if (!held) throw new StepLost();
      return work(tx, held.title);
    });
  }
}

const unlessLost = (work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) => {
    if (!(error instanceof StepLost)) throw error;
  });

/** Services that are away or busy, and a file that somebody else is writing or a disk that is away just now. */
const mayPass = (error: unknown): error is StepHindered | UpstreamError | FileStoreError =>
  error instanceof StepHindered ||
  (error instanceof UpstreamError && error.passing) ||
  (error instanceof FileStoreError && (error.kind === 'busy' || error.kind === 'unavailable'));

/** Carries a text that a person can act on; trying again would end the same way. */
const isForPeople = (error: unknown): error is Error =>
  [StepFailed, UpstreamError, FileStoreError, UnreadableRecording, AppError].some((kind) => error instanceof kind);
