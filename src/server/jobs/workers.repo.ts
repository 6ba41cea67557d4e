import { sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';

export interface SeenWorker {
  jobs: string[];
  /** How long ago it stored that it runs, by the clock of the database. */
  ageMs: number;
}

/** Stores that the worker runs. */
export async function upsertWorker(db: Executor, id: string, jobs: readonly string[]): Promise<void> {
  await db
    .insertInto('worker_process')
    .values({ id, jobs: [...jobs] })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: sql`now()` }))
    .execute();
}

export async function deleteWorker(db: Executor, id: string): Promise<void> {
  await db.deleteFrom('worker_process').where('id', '=', id).execute();
}

/** Deletes the rows of killed workers. */
export async function deleteOldWorkers(db: Executor): Promise<void> {
  await db.deleteFrom('worker_process').where('seen_at', '<', sql<Date>`now() - interval '1 day'`).execute();
}

export const listSeenWorkers = (db: Executor, withinMs: number): Promise<SeenWorker[]> =>
  db
    .selectFrom('worker_process')
    .select(['jobs', sql<number>`(extract(epoch FROM now() - seen_at) * 1000)::float8`.as('ageMs')])
    .where('seen_at', '>', sql<Date>`now() - make_interval(secs => ${withinMs / 1_000})`)
    .execute();
