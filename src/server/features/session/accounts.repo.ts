import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

/** Names are compared without case, as the index `account_username` does. */
const named = (username: string) => sql<boolean>`lower(username) = lower(${username})`;

export const findAccount = (db: Executor, username: string) =>
  db.selectFrom('account').select(['id', 'username', 'password_hash']).where(named(username)).executeTakeFirst();

export const allAccounts = (db: Executor) =>
  db
    .selectFrom('account')
    .leftJoin('second_factor', 'account_id', 'account.id')
    .select(['username', 'created_at', 'confirmed_at'])
    .orderBy('account.id')
    .execute();

/** Locks the accounts, so that two removals at the same time see each other. */
export const lockAccounts = (tx: Executor) =>
  tx.selectFrom('account').select(['id', 'username']).orderBy('id').forUpdate().execute();

/** One process at a time may find the table empty and fill it. */
export async function lockAccountTable(tx: Executor): Promise<void> {
  await sql`LOCK TABLE account IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
}

export async function anyAccount(db: Executor): Promise<boolean> {
  return (await db.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Undefined when the name is taken. */
export const insertAccount = (tx: Executor, username: string, passwordHash: string) =>
  tx
    .insertInto('account')
    .values({ username, password_hash: passwordHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();

export const changePasswordHash = (tx: Executor, username: string, passwordHash: string) =>
  tx
    .updateTable('account')
    .set({ password_hash: passwordHash })
    .where(named(username))
    .returning(['id', 'username'])
    .executeTakeFirst();

/** False when the hash is no longer `before`, or the account is gone. */
export async function replacePasswordHash(
  tx: Executor,
  { id, before, after }: { id: number; before: string; after: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ password_hash: after })
    .where('id', '=', id)
    .where('password_hash', '=', before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteAccount(tx: Executor, id: number): Promise<void> {
  await tx.deleteFrom('account').where('id', '=', id).execute();
}

/** Keeps the account from being removed until the transaction ends. Before its second factor is held: a removal locks in this order. */
export async function keepAccount(tx: Executor, id: number): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', id).forKeyShare().executeTakeFirst();
}

/** Holds the account as it is until the transaction ends; false when its password was changed or it is gone. */
export async function holdAccount(tx: Executor, id: number, passwordHash: string): Promise<boolean> {
  const held = await tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .forShare()
    .executeTakeFirst();
  return held !== undefined;
}
