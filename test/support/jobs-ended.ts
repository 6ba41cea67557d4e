import { sql } from 'kysely';
import type { Step } from '#contracts/rules/steps.ts';
import { stepJob } from '#server/features/processing/step-transitions.ts';
import type { TestApp } from './start-app.ts';
import { until } from './until.ts';

/** Waits until no job of this name is under way. */
export const jobsEnded = ({ db }: TestApp, { name }: { name: string }) =>
  until('the job ends', async () => {
    const open = sql`SELECT 1 FROM pgboss.job WHERE name = ${name} AND state IN ('created', 'active', 'retry')`;
    return (await open.execute(db)).rows.length === 0;
  });

/**
 * Waits for a step's jobs. A step that ended early has no run any more, but its job may still run.
 */
export const stepJobsEnded = (product: TestApp, step: Step) => jobsEnded(product, stepJob(step));

export const fileRemovalEnded = (product: TestApp) => jobsEnded(product, { name: 'media.remove-files' });
