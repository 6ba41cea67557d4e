import type { Updateable } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

/** Locks the account's second factor: no code is used twice, and key rotation waits. */
export const lockFactor = (tx: Executor, accountId: number) =>
  tx.selectFrom('second_factor').selectAll().where('account_id', '=', accountId).forUpdate().executeTakeFirst();

export const lockSealedSecrets = (tx: Executor) =>
  tx
    .selectFrom('second_factor')
    .innerJoin('account', 'account.id', 'account_id')
    .select(['account_id', 'username', 'secret_sealed', 'pending_sealed'])
    .orderBy('account_id')
    .forUpdate('second_factor')
    .execute();

export async function updateFactor(
  tx: Executor,
  accountId: number,
  columns: Updateable<DB['second_factor']>,
): Promise<void> {
  await tx.updateTable('second_factor').set(columns).where('account_id', '=', accountId).execute();
}

/** Returns when the account's second factor was confirmed, or null when it has none. */
export async function findConfirmedAt(db: Executor, accountId: number): Promise<Date | null> {
  const row = await db
    .selectFrom('second_factor')
    .select('confirmed_at')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.confirmed_at ?? null;
}

/** Stores the secret of a new app. A confirmed one stays valid. */
export async function upsertPendingSecret(tx: Executor, accountId: number, sealed: Buffer): Promise<void> {
  await tx
    .insertInto('second_factor')
    .values({ account_id: accountId, pending_sealed: sealed })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ pending_sealed: sealed }))
    .execute();
}

/** Replaces the confirmed secret with the pending one. */
export async function updateToPendingSecret(
  tx: Executor,
  { accountId, step, now }: { accountId: number; step: number; now: number },
): Promise<void> {
  await tx
    .updateTable('second_factor')
    .set((row) => ({
      secret_sealed: row.ref('pending_sealed'),
      pending_sealed: null,
      confirmed_at: new Date(now),
      last_step: step,
    }))
    .where('account_id', '=', accountId)
    .execute();
}

/** Returns false when there was none. */
export async function deleteFactor(tx: Executor, accountId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('second_factor')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function insertRecoveryCodes(tx: Executor, accountId: number, hashes: readonly Buffer[]): Promise<void> {
  await tx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ account_id: accountId, code_hash: hash })))
    .execute();
}

/** Returns false when there is no such code, or it was already used. */
export async function deleteRecoveryCode(tx: Executor, accountId: number, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteRecoveryCodes(tx: Executor, accountId: number): Promise<void> {
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
}

export async function countRecoveryCodes(db: Executor, accountId: number): Promise<number> {
  const { n } = await db
    .selectFrom('recovery_code')
    .select((row) => row.fn.countAll<string>().as('n'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(n);
}
