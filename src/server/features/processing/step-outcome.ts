import type { Executor } from '#server/db/database.ts';
import type { StepRun } from './step-runs.repo.ts';

/**
 * How the work of a step ended, unless it throws.
 * - `done`: `store` writes the result, in the transaction that ends the step. It resolves with
 *   false, and writes nothing, when its input changed in the meantime: the step then runs again
 * - `wait`: the same run resumes after `ms`; its worker is free for other steps until then
 */
export type StepOutcome =
  | {
      status: 'done';
      store(tx: Executor): Promise<boolean>;
      /** How the result differs from the request. */
      note?: string | null;
    }
  | { status: 'wait'; ms: number };

export interface StepContext {
  run: StepRun;
  funnelId: number;
  signal: AbortSignal;
  /** Runs `work` in a transaction in which this worker is known to own the run. @throws RunLost */
  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T>;
}

/**
 * Performs a step.
 * @throws StepError, RunLost, UpstreamError, FileStoreError, UnreadableRecording
 */
export type StepWork = (context: StepContext) => Promise<StepOutcome>;

/** A step cannot be done. The message is for the user. */
export class StepError extends Error {
  override name = 'StepError';
  /** True when the same step may succeed later. */
  readonly isRetryable: boolean;
  /** True when the step would fail again for the same reason. */
  readonly isPermanent: boolean;

  constructor(message: string, { isRetryable = false, isPermanent = false } = {}) {
    super(message);
    this.isRetryable = isRetryable;
    this.isPermanent = isPermanent;
  }
}

/** The options of a `StepError` that would repeat. */
export const PERMANENT = { isPermanent: true } as const;
