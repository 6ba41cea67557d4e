import { sql } from 'kysely';
import type { Role } from '#contracts/rules/roles.ts';
import type { Executor } from '#server/db/database.ts';
import type { SignedIn } from '#server/http/guards/session-guard.ts';

/** Columns of `account` for `viewSignedIn`, in a query that joins the table. */
export const SIGNED_IN_COLUMNS = [
  'account.id as accountId',
  'account.username',
  'account.role',
  'account.all_funnels as allFunnels',
] as const;

export const funnelIdsOfAccount = sql<number[]>`
  ARRAY(SELECT funnel_id FROM account_funnel WHERE account_funnel.account_id = account.id ORDER BY funnel_id)`;

interface SignedInRow {
  accountId: number;
  username: string;
  role: string;
  allFunnels: boolean;
  funnelIds: number[];
}

/** A session has all rights of its account. */
export const viewSignedIn = ({ accountId, username, role, allFunnels, funnelIds }: SignedInRow): SignedIn => ({
  ...{ accountId, username },
  role: role as Role,
  funnelIds: allFunnels || role === 'administrator' ? null : funnelIds,
  scopes: null,
});

/** An enabled account that can receive notices. */
export interface Recipient extends Pick<SignedIn, 'role' | 'funnelIds'> {
  id: number;
  email: string | null;
}

export async function listEnabledRecipients(db: Executor, ids: readonly number[]): Promise<Recipient[]> {
  const rows = await db
    .selectFrom('account')
    .select(SIGNED_IN_COLUMNS)
    .select(['email', funnelIdsOfAccount.as('funnelIds')])
    .where('id', '=', sql<number>`ANY(${ids}::int[])`)
    .where('is_disabled', '=', false)
    .orderBy('id')
    .execute();
  return rows.map(({ email, ...row }) => {
    const { accountId: id, role, funnelIds } = viewSignedIn(row);
    return { id, email, role, funnelIds };
  });
}

export async function listEnabledAdministrators(db: Executor): Promise<number[]> {
  const accounts = db.selectFrom('account').select('id').where('role', '=', 'administrator');
  return (await accounts.where('is_disabled', '=', false).orderBy('id').execute()).map(({ id }) => id);
}

/** The account must exist. */
export const findSignedIn = async (db: Executor, accountId: number): Promise<SignedIn> =>
  viewSignedIn(
    await db
      .selectFrom('account')
      .select(SIGNED_IN_COLUMNS)
      .select(funnelIdsOfAccount.as('funnelIds'))
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow(),
  );
