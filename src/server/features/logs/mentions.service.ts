import type { Executor } from '#server/db/database.ts';
import {
  type EntryContent,
  listMentions,
  type Mentioned,
  type StoredLogEntry,
  updateErasedEntry,
} from './mentions.repo.ts';

export type { EntryContent, StoredLogEntry } from './mentions.repo.ts';

/** The entries that mention a candidate, oldest first. */
export const findMentions = (db: Executor, mentioned: Mentioned): AsyncGenerator<StoredLogEntry> =>
  listMentions(db, mentioned);

/**
 * Replaces the content of these entries, which forget the interviews, and returns the number of
 * changed ones.
 */
export async function redactMentions(
  tx: Executor,
  mentioned: Mentioned,
  redact: (content: EntryContent) => EntryContent,
): Promise<number> {
  let count = 0;
  for await (const { id, summary, details, metadata, interview_ids } of listMentions(tx, mentioned)) {
    const before = { summary, details, metadata };
    const after = redact(before);
    const hasChanged = JSON.stringify(after) !== JSON.stringify(before);
    if (!hasChanged && interview_ids === null) continue;
    await updateErasedEntry(tx, id, { ...after, erasedIds: mentioned.ids });
    if (hasChanged) count += 1;
  }
  return count;
}
