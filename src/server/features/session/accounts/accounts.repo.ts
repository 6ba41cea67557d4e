import { sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import { DUMMY_HASH } from './passwords.ts';

/** Compares case-insensitively, as the index `account_username` does. */
const hasName = (username: string) => sql<boolean>`lower(username) = lower(${username})`;

export interface AccountRow {
  id: number;
  username: string;
  /** The hash of no password for an account that cannot sign in with one. */
  password_hash: string;
}

/** Disabled and invited accounts get the hash of no password. */
const usableHash = sql<string>`CASE WHEN is_disabled THEN ${DUMMY_HASH} ELSE coalesce(password_hash, ${DUMMY_HASH}) END`;

export const findAccount = (db: Executor, username: string): Promise<AccountRow | undefined> =>
  db
    .selectFrom('account')
    .select(['id', 'username', usableHash.as('password_hash')])
    .where(hasName(username))
    .executeTakeFirst();

/** Returns all accounts in the order of their creation. */
export const listAccounts = (db: Executor) =>
  db
    .selectFrom('account')
    .leftJoin('second_factor', 'account_id', 'account.id')
    .select(['username', 'role', 'is_disabled as isDisabled', 'created_at as createdAt'])
    .select((row) => row('confirmed_at', 'is not', null).as('hasSecondFactor'))
    .orderBy('account.id')
    .execute();

/**
 * Locks all accounts, so that concurrent changes run one after the other and an enabled
 * administrator is always left.
 */
export const lockAccounts = (tx: Executor) =>
  tx.selectFrom('account').select(['id', 'username', 'role', 'is_disabled']).orderBy('id').forUpdate().execute();

/** Lets only one process find the table empty and insert the first account. */
export async function lockAccountTable(tx: Executor): Promise<void> {
  await sql`LOCK TABLE account IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
}

export async function hasAccounts(db: Executor): Promise<boolean> {
  return (await db.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Returns undefined when the name is taken. */
export const insertAccount = (tx: Executor, username: string, passwordHash: string) =>
  tx
    .insertInto('account')
    .values({ username, password_hash: passwordHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();

export const updatePasswordHash = (tx: Executor, username: string, passwordHash: string) =>
  tx
    .updateTable('account')
    .set({ password_hash: passwordHash })
    .where(hasName(username))
    .returning(['id', 'username'])
    .executeTakeFirst();

/** Not in the transaction of a session, which is locked after its account. */
export async function updateLastSeen(db: Executor, id: number, now: number): Promise<void> {
  await db
    .updateTable('account')
    .set({ last_seen_at: new Date(now) })
    .where('id', '=', id)
    .execute();
}

export async function deleteAccount(tx: Executor, id: number): Promise<void> {
  await tx.deleteFrom('account').where('id', '=', id).execute();
}

/** Locks the account for a change of its password. */
export async function lockAccount(tx: Executor, id: number): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Prevents the removal of the account. Lock it before its second factor, as a removal does. */
export async function lockAccountKey(tx: Executor, id: number): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', id).forKeyShare().executeTakeFirst();
}

/** Locks the account. Returns false when its password was changed or it was removed. */
export async function lockUnchangedAccount(tx: Executor, account: AccountRow): Promise<boolean> {
  return (await selectUnchanged(tx, account).forShare().executeTakeFirst()) !== undefined;
}

/**
 * Like `lockUnchangedAccount`, before a change: two transactions that share a lock would deadlock.
 */
export async function lockAccountForChange(tx: Executor, account: AccountRow): Promise<boolean> {
  return (await selectUnchanged(tx, account).forNoKeyUpdate().executeTakeFirst()) !== undefined;
}

const selectUnchanged = (tx: Executor, { id, password_hash }: AccountRow) =>
  tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where('is_disabled', '=', false);

/** The enabled accounts that see a funnel, by name. */
export const listAccountsOfFunnel = (db: Executor, funnelId: number) =>
  db
    .selectFrom('account')
    .select(['id', 'username'])
    .where('is_disabled', '=', false)
    .where(
      sql<boolean>`(role = 'administrator' OR all_funnels OR EXISTS (
        SELECT FROM account_funnel AS f WHERE f.account_id = account.id AND f.funnel_id = ${funnelId}))`,
    )
    .orderBy(sql`lower(username)`)
    .execute();
