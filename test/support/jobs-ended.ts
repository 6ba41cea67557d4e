import { sql } from 'kysely';
import { type Step, stepJobName } from '#server/features/processing/steps.ts';
import type { TestApp } from './start-app.ts';
import { until } from './until.ts';

/** Waits until no job of this name is under way. */
export const jobsEnded = ({ db }: TestApp, { name }: { name: string }) =>
  until('the job ends', async () => {
    const open = sql`SELECT 1 FROM pgboss.job WHERE name = ${name} AND state IN ('created', 'active', 'retry')`;
    return (await open.execute(db)).rows.length === 0;
  });

/** The same for a step: one that was ended in another way has no run any more, but its job still works. */
export const stepJobsEnded = (product: TestApp, step: Step) => jobsEnded(product, stepJobName(step));
