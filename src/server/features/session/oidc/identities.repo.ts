import { type Insertable, type SqlBool, sql } from 'kysely';
import type { Role } from '#contracts/rules/roles.ts';
import type { Executor } from '#server/db/database.ts';
import type { Identity } from '#server/db/tables.ts';
import { hashBytes } from '#server/features/session/sessions/session-token.ts';
import type { LogoutToken } from '#server/ports/identity-provider.ts';

/** `identityId` is null if the account has no identity. */
export type LinkedAccount = NonNullable<Awaited<ReturnType<typeof findById>>>;

const selectAccount = (db: Executor) =>
  db
    .selectFrom('account')
    .leftJoin('identity', 'identity.account_id', 'account.id')
    .select(['account.id as accountId', 'account.username', 'account.is_disabled as isDisabled'])
    .select([sql<Role>`account.role`.as('role'), 'identity.id as identityId']);

/** Returns the account that a person at a provider signs in to. */
export const findLinked = (db: Executor, issuer: string, subject: string) =>
  selectAccount(db).where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst();

/** Compares without regard to case, as the index `account_email` does. */
export const findByEmail = (db: Executor, email: string) =>
  selectAccount(db).where(sql<SqlBool>`lower(account.email) = lower(${email})`).limit(1).executeTakeFirst();

export const findById = (db: Executor, accountId: number) =>
  selectAccount(db).where('account.id', '=', accountId).limit(1).executeTakeFirst();

export async function isUsernameTaken(db: Executor, username: string): Promise<boolean> {
  const found = db.selectFrom('account').select('id').where(sql<SqlBool>`lower(username) = lower(${username})`);
  return (await found.executeTakeFirst()) !== undefined;
}

export async function insertIdentity(tx: Executor, identity: Insertable<Identity>): Promise<number> {
  const { id } = await tx.insertInto('identity').values(identity).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateIdentityEmail(tx: Executor, id: number, email: string | null): Promise<void> {
  await tx
    .updateTable('identity')
    .set({ email })
    .where('id', '=', id)
    .where(sql<SqlBool>`email IS DISTINCT FROM ${email}`)
    .execute();
}

export async function updateRole(tx: Executor, accountId: number, role: Role): Promise<void> {
  await tx.updateTable('account').set({ role }).where('id', '=', accountId).execute();
}

/**
 * Deletes the sessions that a person started at the provider. With a session there, deletes only
 * those that belong to it, or for which the provider has named none.
 */
export async function deleteSessionsAtProvider(
  tx: Executor,
  { issuer, subject, providerSession }: Pick<LogoutToken, 'issuer' | 'subject' | 'providerSession'>,
): Promise<{ hash: string; accountId: number; username: string }[]> {
  const rows = await tx
    .deleteFrom('session')
    .using(['identity', 'account'])
    .whereRef('identity.id', '=', 'session.identity_id')
    .whereRef('account.id', '=', 'session.account_id')
    .where('issuer', '=', issuer)
    .$if(subject !== null, (query) => query.where('subject', '=', subject ?? ''))
    .$if(providerSession !== null, (query) =>
      query.where((session) =>
        session.or([
          session('provider_session', '=', providerSession),
          ...(subject === null ? [] : [session('provider_session', 'is', null)]),
        ]),
      ),
    )
    .returning(['session.token_hash', 'account.id as accountId', 'account.username'])
    .execute();
  return rows.map(({ token_hash, ...row }) => ({ ...row, hash: token_hash.toString('hex') }));
}

/** Returns false when the token was used before. Deletes expired tokens. */
export async function insertLogoutToken(
  tx: Executor,
  { hash, expiresAt, now }: { hash: string; expiresAt: Date; now: Date },
): Promise<boolean> {
  await tx.deleteFrom('logout_token').where('expires_at', '<=', now).execute();
  const inserted = await tx
    .insertInto('logout_token')
    .values({ token_hash: hashBytes(hash), expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('expires_at')
    .executeTakeFirst();
  return inserted !== undefined;
}
