import type { Executor } from '#server/db/database.ts';
import { withdrawMails } from '#server/features/mail/mail.service.ts';
import { invitationReference } from './invitation-mail.ts';
import { deleteInvitationOf } from './invitations.repo.ts';

/** Deletes the account's link to choose a password, and its unsent mail. */
export async function withdrawInvitation(tx: Executor, accountId: number): Promise<void> {
  await deleteInvitationOf(tx, accountId);
  await withdrawMails(tx, [invitationReference(accountId)]);
}
