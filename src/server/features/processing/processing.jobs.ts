import { defineJob, type JobContext } from '../../jobs/job.ts';
import { type Step, type StepRun, stepJobName } from './steps.ts';

/** For what is not a service's fault: a database that is away, a worker that was killed. */
const RETRIES = 5;

/** Works on a step until it ends or waits; a worker that dies is followed by another. */
export const stepJob = (
  step: Step,
  concurrency: number,
  work: (run: Omit<StepRun, 'worker'>, context: JobContext) => Promise<void>,
) =>
  defineJob({
    ...stepJobName(step),
    retries: RETRIES,
    concurrency,
    run: (payload, context) => work({ ...payload, step }, context),
  });
