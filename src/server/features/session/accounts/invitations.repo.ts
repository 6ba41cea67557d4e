import type { Insertable } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { Invitation } from '#server/db/tables.ts';
import { hashBytes } from '#server/features/session/sessions/session-token.ts';

/** Replaces the account's earlier invitation. */
export async function upsertInvitation(tx: Executor, row: Insertable<Invitation>): Promise<void> {
  await tx
    .insertInto('invitation')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
}

/** Returns the account that a valid invitation belongs to. */
export const findInvited = (db: Executor, hash: string, now: Date) =>
  db
    .selectFrom('invitation')
    .innerJoin('account', 'account.id', 'invitation.account_id')
    .select(['account.id', 'account.username'])
    .where('token_hash', '=', hashBytes(hash))
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Returns false when the invitation has been used or replaced. */
export async function deleteInvitation(tx: Executor, hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('invitation')
    .where('token_hash', '=', hashBytes(hash))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteInvitationOf(tx: Executor, accountId: number): Promise<void> {
  await tx.deleteFrom('invitation').where('account_id', '=', accountId).execute();
}
