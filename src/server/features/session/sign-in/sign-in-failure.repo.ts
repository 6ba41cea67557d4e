import type { Selectable } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { SignInFailure } from '#server/db/tables.ts';

export type FailureCount = Selectable<SignInFailure>;

/** Locks and returns the counts. Pass `keys` always in the same order, to prevent deadlocks. */
export async function lockFailureCounts(tx: Executor, keys: string[], now: number): Promise<Map<string, FailureCount>> {
  const rows = await tx
    .insertInto('sign_in_failure')
    .values(keys.map((key) => ({ key, failures: 0, blocked_until: null, updated_at: new Date(now) })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ key: row.ref('excluded.key') })))
    .returningAll()
    .execute();
  return countsByKey(rows);
}

/** Returns the counts of those keys that have one. */
export async function findFailureCounts(db: Executor, keys: string[]): Promise<Map<string, FailureCount>> {
  return countsByKey(await db.selectFrom('sign_in_failure').selectAll().where('key', 'in', keys).execute());
}

const countsByKey = (rows: FailureCount[]): Map<string, FailureCount> => new Map(rows.map((row) => [row.key, row]));

export async function upsertFailureCounts(tx: Executor, counts: FailureCount[]): Promise<void> {
  await tx
    .insertInto('sign_in_failure')
    .values(counts)
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((row) => ({
        failures: row.ref('excluded.failures'),
        blocked_until: row.ref('excluded.blocked_until'),
        updated_at: row.ref('excluded.updated_at'),
      })),
    )
    .execute();
}

export async function deleteFailureCount(tx: Executor, key: string): Promise<void> {
  await tx.deleteFrom('sign_in_failure').where('key', '=', key).execute();
}

/** Undoes one failure and its block. */
export async function decrementFailures(tx: Executor, key: string): Promise<void> {
  await tx
    .updateTable('sign_in_failure')
    .set((row) => ({ failures: row('failures', '-', 1), blocked_until: null }))
    .where('key', '=', key)
    .where('failures', '>', 0)
    .execute();
}

/**
 * Deletes counts with failures that were last updated before `failuresBefore`, and any others
 * that were last updated before `othersBefore`.
 */
export async function deleteOldFailureCounts(
  db: Executor,
  failuresBefore: number,
  othersBefore: number,
): Promise<void> {
  await db
    .deleteFrom('sign_in_failure')
    .where((row) =>
      row.or([
        row.and([row('failures', '>', 0), row('updated_at', '<', new Date(failuresBefore))]),
        row('updated_at', '<', new Date(othersBefore)),
      ]),
    )
    .execute();
}
