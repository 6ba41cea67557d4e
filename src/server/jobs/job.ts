import type { z } from 'zod';

export interface JobContext {
  /**
   * Aborts when the process shuts down or the job's claim is lost. The job must then stop soon; it
   * runs again later.
   */
  signal: AbortSignal;
  /** True when the job is not retried if this attempt throws. */
  isLastAttempt: boolean;
}

/** Identifies jobs when they are enqueued. */
export interface JobType<Payload extends z.ZodType = z.ZodType> {
  /** Stored with each job: a new name loses the jobs of the old one. */
  name: string;
  payload: Payload;
}

export interface JobDefinition<Payload extends z.ZodType = z.ZodType> extends JobType<Payload> {
  /** Attempts after the first one that throws. */
  retries: number;
  /** Jobs of this type that one process runs at the same time. */
  concurrency: number;
  /**
   * False deletes a job as soon as it is done, because names of files contain ids of interviews.
   * Default: it is kept for a day.
   */
  isKept?: boolean;
  run(payload: z.output<Payload>, context: JobContext): Promise<void>;
}

/** A job is short, typed and idempotent, and fails by throwing. */
export const defineJob = <Payload extends z.ZodType>(definition: JobDefinition<Payload>): JobDefinition<Payload> =>
  definition;
