import type { Executor } from '#server/db/database.ts';
import { filesOfUploads } from './new-recordings.ts';
import { type CandidateUpload, deleteUploads, listUploadsAbout, searchUploads } from './uploads.repo.ts';

export type { CandidateUpload } from './uploads.repo.ts';

/** Finds uploads that are not interviews yet by a part of their text. */
export const findIncomingUploads = (db: Executor, text: string): Promise<CandidateUpload[]> => searchUploads(db, text);

/** The uploads with these emails, which are results of `comparableEmail`, or these ids. */
export const findUploadsAbout = (
  db: Executor,
  subject: { emails: readonly string[]; ids: readonly string[] },
): Promise<CandidateUpload[]> => listUploadsAbout(db, subject);

/** Deletes uploads in the transaction of an erasure. Returns the files to remove. */
export async function deleteErasedUploads(tx: Executor, ids: readonly string[]) {
  await deleteUploads(tx, ids);
  return filesOfUploads(ids);
}
