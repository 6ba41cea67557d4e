import type { Executor } from '#server/db/database.ts';
import { redactMails, withdrawMails } from '#server/features/mail/mail.service.ts';
import { SHARE_REFERENCES, shareReference } from './link-mail.ts';
import {
  listBatchTexts,
  listSharedWith,
  listViewers,
  revokeSharesOfOnly,
  type SharedWith,
  updateBatchTexts,
  type Viewer,
} from './personal-data.repo.ts';
import { countWorking } from './shares.repo.ts';

export type { SharedWith, Viewer } from './personal-data.repo.ts';

/** The recipients of shared interviews, and their actions. */
export const findSharedWith = (db: Executor, interviewIds: readonly string[]): Promise<SharedWith[]> =>
  listSharedWith(db, interviewIds);

/** The number of links that recipients can open. */
export const countWorkingLinks = (db: Executor): Promise<number> => countWorking(db);

/**
 * Prepares the erasure of a candidate, before their interviews are deleted: revokes links that
 * contain only these interviews, and removes the candidate from texts of shares and unsent mails.
 * Returns the recipients who have watched.
 */
export async function eraseFromShares(
  tx: Executor,
  interviewIds: readonly string[],
  redact: (text: string) => string,
): Promise<Viewer[]> {
  const viewers = await listViewers(tx, interviewIds);
  const revoked = await revokeSharesOfOnly(tx, interviewIds);
  await withdrawMails(tx, revoked.map(shareReference));
  await redactMails(tx, SHARE_REFERENCES, redact);
  for (const { id, title, message } of await listBatchTexts(tx)) {
    const texts = { title: redact(title), message: message && redact(message) };
    if (texts.title !== title || texts.message !== message) await updateBatchTexts(tx, id, texts);
  }
  return viewers;
}
