import { sql } from 'kysely';
import pg from 'pg';
import type { Role } from '#contracts/rules/roles.ts';
import type { Executor } from '#server/db/database.ts';
import type { Identity } from '#server/ports/identity-provider.ts';
import { funnelIdsOfAccount } from './signed-in.repo.ts';

/** The fields of an account that administrators set. */
export interface AccountFields {
  email: string | null;
  role: Role;
  allFunnels: boolean;
  funnelIds: number[];
  isDisabled: boolean;
}

const identitiesOfAccount = sql<Pick<Identity, 'issuer' | 'subject' | 'email'>[]>`coalesce(
  (SELECT json_agg(json_build_object('issuer', issuer, 'subject', subject, 'email', identity.email) ORDER BY id)
   FROM identity WHERE identity.account_id = account.id), '[]')`;

export type AdministeredRow = Awaited<ReturnType<typeof listAdministered>>[number];

const selectAdministered = (db: Executor) =>
  db
    .selectFrom('account')
    .leftJoin('second_factor', 'second_factor.account_id', 'account.id')
    .select(['account.id', 'account.username', 'account.email', 'account.is_disabled', 'confirmed_at'])
    .select(['account.all_funnels', funnelIdsOfAccount.as('funnel_ids')])
    .select(sql<Role>`account.role`.as('role'))
    .select(identitiesOfAccount.as('identities'))
    .select(
      sql<Date | null>`greatest(
        account.last_seen_at, (SELECT max(last_used_at) FROM session WHERE session.account_id = account.id))`.as(
        'last_seen_at',
      ),
    );

export const listAdministered = (db: Executor) =>
  selectAdministered(db).orderBy(sql`lower(account.username)`).execute();

export const findAdministered = (db: Executor, id: number) =>
  selectAdministered(db).where('account.id', '=', id).executeTakeFirst();

/** @throws as `takenField` reads it */
export async function insertInvitedAccount(
  tx: Executor,
  { username, email, role, allFunnels, funnelIds }: Omit<AccountFields, 'isDisabled'> & { username: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('account')
    .values({ username, email, role, all_funnels: allFunnels, password_hash: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertFunnels(tx, id, funnelIds);
  return id;
}

/** @throws as `takenField` reads it */
export async function updateAccountFields(
  tx: Executor,
  id: number,
  { email, role, isDisabled }: Omit<AccountFields, 'allFunnels' | 'funnelIds'>,
): Promise<void> {
  await tx.updateTable('account').set({ email, role, is_disabled: isDisabled }).where('id', '=', id).execute();
}

export async function updateAccountFunnels(
  tx: Executor,
  id: number,
  { allFunnels, funnelIds }: Pick<AccountFields, 'allFunnels' | 'funnelIds'>,
): Promise<void> {
  await tx.updateTable('account').set({ all_funnels: allFunnels }).where('id', '=', id).execute();
  await tx.deleteFrom('account_funnel').where('account_id', '=', id).execute();
  await insertFunnels(tx, id, funnelIds);
}

async function insertFunnels(tx: Executor, accountId: number, funnelIds: readonly number[]): Promise<void> {
  if (funnelIds.length === 0) return;
  const rows = funnelIds.map((funnelId) => ({ account_id: accountId, funnel_id: funnelId }));
  await tx.insertInto('account_funnel').values(rows).execute();
}

const UNIQUE_VIOLATION = '23505';
const UNIQUE_FIELDS: Record<string, 'username' | 'email'> = { account_username: 'username', account_email: 'email' };

/** Returns the field whose value another account has, or undefined for any other error. */
export const takenField = (error: unknown): 'username' | 'email' | undefined =>
  error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION
    ? UNIQUE_FIELDS[error.constraint ?? '']
    : undefined;
