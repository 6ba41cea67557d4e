import { type Insertable, sql } from 'kysely';
import type { Scope } from '#contracts/rules/roles.ts';
import type { Executor } from '#server/db/database.ts';
import type { ApiToken } from '#server/db/tables.ts';
import { funnelIdsOfAccount, SIGNED_IN_COLUMNS } from '#server/features/session/accounts/signed-in.repo.ts';
import { hashBytes } from '#server/features/session/sessions/session-token.ts';

const scopesColumn = sql<Scope[]>`api_token.scopes`.as('scopes');

export type ApiTokenRow = Awaited<ReturnType<typeof listTokensOf>>[number];

/** Returns the tokens of an account, the newest first. */
export const listTokensOf = (db: Executor, accountId: number) =>
  db
    .selectFrom('api_token')
    .select(['id', 'name', scopesColumn, 'prefix', 'expires_at', 'created_at', 'last_used_at', 'last_used_address'])
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .execute();

export async function insertToken(tx: Executor, row: Insertable<ApiToken>): Promise<number> {
  const { id } = await tx.insertInto('api_token').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Returns a token that has not expired, of an account that is not disabled. */
export const findToken = (db: Executor, hash: string, now: number) =>
  db
    .selectFrom('api_token')
    .innerJoin('account', 'account.id', 'api_token.account_id')
    .select(SIGNED_IN_COLUMNS)
    .select(funnelIdsOfAccount.as('funnelIds'))
    .select(['api_token.id', scopesColumn, 'api_token.expires_at as expiresAt', 'api_token.last_used_at as lastUsedAt'])
    .where('token_hash', '=', hashBytes(hash))
    .where('expires_at', '>', new Date(now))
    .where('account.is_disabled', '=', false)
    .executeTakeFirst();

/** Does nothing when another process has stored a use since `before`. */
export async function updateTokenUse(
  db: Executor,
  id: number,
  { now, before, address }: { now: number; before: number; address: string | null },
): Promise<void> {
  await db
    .updateTable('api_token')
    .set({ last_used_at: new Date(now), last_used_address: address })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', new Date(before))]))
    .execute();
}

/** Deletes a token of an account; null: of any account. Returns undefined if it does not exist. */
export const deleteToken = (tx: Executor, id: number, accountId: number | null) =>
  tx
    .deleteFrom('api_token')
    .using('account')
    .whereRef('account.id', '=', 'api_token.account_id')
    .where('api_token.id', '=', id)
    .$if(accountId !== null, (query) => query.where('api_token.account_id', '=', accountId))
    .returning(['account.id as accountId', 'account.username', 'api_token.name'])
    .executeTakeFirst();

export async function deleteTokensExpiredBefore(db: Executor, time: number): Promise<void> {
  await db.deleteFrom('api_token').where('expires_at', '<', new Date(time)).execute();
}
