import type { Executor } from '#server/db/database.ts';
import { listMentions, type Mentioned, type StoredLogEntry, updateEntryTexts } from './mentions.repo.ts';

export type { StoredLogEntry } from './mentions.repo.ts';

interface Content {
  summary: string;
  details: unknown;
  metadata: unknown;
}

/** The entries that mention a candidate, oldest first. */
export const findMentions = (db: Executor, mentioned: Mentioned): AsyncGenerator<StoredLogEntry> =>
  listMentions(db, mentioned);

/** Replaces the content of these entries and returns the number of changed ones. */
export async function redactMentions(
  tx: Executor,
  mentioned: Mentioned,
  redact: (content: Content) => Content,
): Promise<number> {
  let count = 0;
  for await (const { id, summary, details, metadata } of listMentions(tx, mentioned)) {
    const before = { summary, details, metadata };
    const after = redact(before);
    if (JSON.stringify(after) === JSON.stringify(before)) continue;
    await updateEntryTexts(tx, id, after);
    count += 1;
  }
  return count;
}
