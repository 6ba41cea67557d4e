import type { z } from 'zod';

/** What a running job is told. */
export interface JobContext {
  /** Aborts when the process shuts down or the job's claim is lost; the job stops soon and is taken up again by whoever is next. */
  signal: AbortSignal;
  /** 0 on the first try. */
  attempt: number;
  /** True when no further try follows if this one throws. */
  lastAttempt: boolean;
}

/** A kind of job, as whoever enqueues it needs it. */
export interface JobName<Payload extends z.ZodType = z.ZodType> {
  name: string;
  payload: Payload;
}

export interface JobDefinition<Payload extends z.ZodType = z.ZodType> extends JobName<Payload> {
  /** Further tries after the first one that throws. */
  retries: number;
  /** Jobs of this kind that one process runs at the same time. */
  concurrency: number;
  run(payload: z.output<Payload>, context: JobContext): Promise<void>;
}

/** Declares a kind of job: short, typed, idempotent, and allowed to fail by throwing. */
export const defineJob = <Payload extends z.ZodType>(definition: JobDefinition<Payload>): JobDefinition<Payload> =>
  definition;
