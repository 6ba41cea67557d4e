import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { JobDefinition } from '#server/jobs/job.ts';

/** The run ended, was deleted, or was claimed by another worker. This worker stops silently. */
export class RunLost extends Error {
  override name = 'RunLost';
  constructor() {
    super('This worker no longer owns the run');
  }
}

/** One attempt at a run. */
export interface Attempt {
  /**
   * One id per process, whose earlier attempts have not ended with their process. Refreshes use it
   * as their fence, so a claim of the same process does not fence off its earlier attempt.
   */
  process: string;
  /** One id per claim. It fences off the previous owner of a step, a bulk run or a push. */
  worker: string;
}

export interface ClaimedRun {
  /** The attempts in a row that ended with their process. */
  lost_attempts: number;
}

/** Resets the lost attempts after an attempt that has shown that its process survives the work. */
export type ReleaseColumns = { lost_attempts?: 0 };

/** The errors of runs that fail without a specific message. */
export interface RunErrors {
  /** For the last attempt. */
  unexpected: string;
  /** For a run whose job no longer exists; default: `unexpected`. */
  interrupted?: string;
  /** For a run whose attempts end their processes; default: `ENDS_PROCESS`. */
  endsProcess?: string;
}

/** Several runs work at a time, so the work of another one may have ended the process. */
export const MAX_LOST_ATTEMPTS = 3;
export const ENDS_PROCESS =
  "It was stopped because the server ended three times while it ran. Ask an admin to check the server's log.";

/**
 * Long work in the background: a row that one worker at a time claims, and a job that repeats it
 * until it ends. `Runs` calls the functions in this order: `claim`, `perform`, `settle` or `fail`,
 * `release`.
 */
export interface RunKind<Payload extends z.ZodType, Run extends ClaimedRun>
  extends Omit<JobDefinition<Payload>, 'run'> {
  /** Selects the `payload` of the job of each run that must have one. */
  open: RawBuilder<unknown>;
  /** A run that lost this many attempts in a row fails; default: `MAX_LOST_ATTEMPTS`. */
  maxLostAttempts?: number;
  errors: RunErrors;
  /** Returns undefined when the run has ended. */
  claim(payload: z.output<Payload>, attempt: Attempt): Promise<Run | undefined>;
  /** @throws RunLost */
  perform(run: Run, signal: AbortSignal): Promise<void>;
  /** Ends or postpones the run because of an expected error. Returns false for other errors. */
  settle?(run: Run, error: unknown, isLastAttempt: boolean): Promise<boolean>;
  fail(run: Run, error: string): Promise<void>;
  /** Clears the owner, if that is still this attempt, and sets the given columns. */
  release(run: Run, columns: ReleaseColumns): Promise<unknown>;
}

/** A claim counts the attempt of another process that has not released the run. */
export const lostAttempts = (owner: 'process' | 'worker', process: string) =>
  sql<number>`lost_attempts + coalesce(${sql.ref(owner)} <> ${process}, false)::integer`;

/** The column of a requested cancellation. */
export const CANCEL_REQUESTED = { cancel_requested_at: sql<Date>`coalesce(cancel_requested_at, now())` };
