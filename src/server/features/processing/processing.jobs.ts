import { z } from 'zod';
import type { Step } from '#contracts/rules/steps.ts';

/** The job that performs a step until it ends or waits. */
export const stepJob = (step: Step) => ({
  name: `processing.${step}`,
  payload: z.object({ interviewId: z.string(), runId: z.uuid() }),
  /** For problems that no service causes: an unavailable database, a killed worker. */
  retries: 5,
});
