import { z } from 'zod';
import type { Step } from '#contracts/rules/steps.ts';
import { defineJob, type JobContext } from '#server/jobs/job.ts';
import type { UnclaimedRun } from './step-runs.repo.ts';

/**
 * For problems other than those of a service: a database that is unavailable, a worker that was
 * killed.
 */
const RETRIES = 5;

/** The name and payload of a step's job, as needed to enqueue it. */
export const stepJobName = (step: Step) => ({
  name: `processing.${step}`,
  payload: z.object({ interviewId: z.string(), runId: z.uuid() }),
});

/**
 * The job that performs a step until it ends or waits. If its worker dies, another one repeats it.
 */
export const stepJob = (
  step: Step,
  concurrency: number,
  perform: (run: UnclaimedRun, context: JobContext) => Promise<void>,
) =>
  defineJob({
    ...stepJobName(step),
    retries: RETRIES,
    concurrency,
    run: (payload, context) => perform({ ...payload, step }, context),
  });
