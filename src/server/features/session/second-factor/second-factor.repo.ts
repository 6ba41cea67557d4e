import type { Executor } from '../../../db/database.ts';

/** Holds what the account has until the transaction ends: no code is taken twice, and nothing is sealed anew meanwhile. */
export const holdFactor = (tx: Executor, accountId: number) =>
  tx.selectFrom('second_factor').selectAll().where('account_id', '=', accountId).forUpdate().executeTakeFirst();

/** When the account's second factor was confirmed; null while it has none. */
export async function confirmedAt(db: Executor, accountId: number): Promise<Date | null> {
  const row = await db
    .selectFrom('second_factor')
    .select('confirmed_at')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.confirmed_at ?? null;
}

export async function savePending(tx: Executor, accountId: number, sealed: Buffer): Promise<void> {
  await tx
    .insertInto('second_factor')
    .values({ account_id: accountId, pending_sealed: sealed })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ pending_sealed: sealed }))
    .execute();
}

/** The pending secret takes the place of the one there was. */
export async function confirmPending(
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

export async function saveLastStep(tx: Executor, accountId: number, step: number): Promise<void> {
  await tx.updateTable('second_factor').set({ last_step: step }).where('account_id', '=', accountId).execute();
}

/** False when there is none. */
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

/** False when there is no such code, or it was used. */
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
