import { type Insertable, sql, type Updateable } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';
import {
  funnelIdsOfAccount,
  SIGNED_IN_COLUMNS,
  viewSignedIn,
} from '#server/features/session/accounts/signed-in.repo.ts';
import type { SignedIn } from '#server/http/guards/session-guard.ts';
import { hashBytes } from './session-token.ts';

/** The person at a provider who started a session, and their session there, if it is known. */
export interface SignOn {
  identityId: number;
  providerSession: string | null;
}

export async function insertSession(tx: Executor, session: Insertable<DB['session']>): Promise<void> {
  await tx.insertInto('session').values(session).execute();
}

/** Returns an active session. */
export const findSession = (db: Executor, hash: string, now: number) =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select(SIGNED_IN_COLUMNS)
    .select(funnelIdsOfAccount.as('funnelIds'))
    .select('session.remembered')
    .select(['session.created_at as createdAt', 'session.expires_at as expiresAt'])
    .select([
      'account.last_seen_at as lastSeenAt',
      'session.last_used_at as lastUsedAt',
      'session.address',
      'session.is_replaced as isReplaced',
      'session.identity_id as identityId',
      'session.provider_session as providerSession',
    ])
    .where('session.token_hash', '=', hashBytes(hash))
    .where('session.expires_at', '>', new Date(now))
    .where('account.is_disabled', '=', false)
    .executeTakeFirst();

/** Returns the accounts of those sessions that are active, by the hash of the session. */
export async function listRightsOfSessions(
  db: Executor,
  hashes: readonly string[],
  now: number,
): Promise<Map<string, SignedIn>> {
  const rows = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select(SIGNED_IN_COLUMNS)
    .select(['token_hash', funnelIdsOfAccount.as('funnelIds')])
    .where('token_hash', '=', sql<Buffer>`ANY(${hashes.map(hashBytes)}::bytea[])`)
    .where('expires_at', '>', new Date(now))
    .where('account.is_disabled', '=', false)
    .execute();
  return new Map(rows.map((row) => [row.token_hash.toString('hex'), viewSignedIn(row)]));
}

/** Returns false when the session no longer exists, or another one has replaced it. */
export async function updateSessionUse(db: Executor, hash: string, use: Updateable<DB['session']>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set(use)
    .where('token_hash', '=', hashBytes(hash))
    .where('is_replaced', '=', false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lets a session that another one replaces end at `expiresAt` at the latest. */
export async function expireReplacedSession(tx: Executor, hash: string, expiresAt: number): Promise<void> {
  await tx
    .updateTable('session')
    .set({ is_replaced: true, expires_at: sql`least(expires_at, ${new Date(expiresAt)})` })
    .where('token_hash', '=', hashBytes(hash))
    .execute();
}

/** Returns the active sessions of an account, the last used one first. */
export async function listSessionsOfAccount(db: Executor, accountId: number, now: number) {
  const rows = await db
    .selectFrom('session')
    .select(['id', 'token_hash', 'device', 'address', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', new Date(now))
    .where('is_replaced', '=', false)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ token_hash, ...row }) => ({ ...row, hash: token_hash.toString('hex') }));
}

/** Returns undefined when the account has no such session. */
export async function deleteSessionOfAccount(tx: Executor, accountId: number, id: number) {
  const row = await tx
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(['token_hash', 'device', 'address'])
    .executeTakeFirst();
  return row && { hash: row.token_hash.toString('hex'), device: row.device, address: row.address };
}

/** Returns the account of the session, or undefined when there was none or it had expired. */
export async function deleteSession(tx: Executor, hash: string, now: number) {
  const deleted = await tx
    .deleteFrom('session')
    .using('account')
    .whereRef('account.id', '=', 'session.account_id')
    .where('token_hash', '=', hashBytes(hash))
    .returning(['account.id as accountId', 'account.username', 'session.expires_at as expiresAt'])
    .executeTakeFirst();
  return deleted && deleted.expiresAt.getTime() > now ? deleted : undefined;
}

/** Deletes all sessions of the account, except `keepHash` if given. Returns their number. */
export async function deleteSessionsOfAccount(tx: Executor, accountId: number, keepHash?: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .$if(keepHash !== undefined, (query) => query.where('token_hash', '!=', hashBytes(keepHash as string)))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export const deleteExpiredSessions = (tx: Executor, now: number) =>
  tx
    .deleteFrom('session')
    .using('account')
    .whereRef('account.id', '=', 'session.account_id')
    .where('expires_at', '<=', new Date(now))
    .returning(['account.id as accountId', 'account.username', 'session.remembered'])
    .returning(['session.created_at as createdAt', 'session.is_replaced as isReplaced'])
    .execute();
