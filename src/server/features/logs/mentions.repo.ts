import { type Selectable, sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type StoredLogEntry = Selectable<DB['log_entry']>;

export interface EntryContent {
  summary: string;
  details: unknown;
  metadata: unknown;
}

/** Entries in memory at a time: the entry of a large refresh takes megabytes. */
const BATCH_SIZE = 20;

const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Entries about interviews with these ids. Of entries that do not list their interviews, those
 * whose summary contains one of `texts`, or whose details or metadata contain one of `jsonTexts`.
 */
export interface Mentioned {
  ids: readonly string[];
  texts: readonly string[];
  jsonTexts: readonly string[];
}

/** Oldest first. */
export async function* listMentions(
  db: Executor,
  { ids, texts, jsonTexts }: Mentioned,
): AsyncGenerator<StoredLogEntry> {
  const inSummary = texts.map(containing);
  const inJson = jsonTexts.map(containing);
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('log_entry')
      .selectAll()
      .where('id', '>', last)
      .where(
        sql<boolean>`(interview_ids && ${ids}::text[] OR interview_ids IS NULL AND (
          summary ILIKE ANY(${inSummary}::text[]) OR details::text ILIKE ANY(${inJson}::text[]) OR metadata::text ILIKE ANY(${inJson}::text[])))`,
      )
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < BATCH_SIZE) return;
    last = end.id;
  }
}

/** The application may change no other column. Forgets the interviews with `erasedIds`. */
export const updateErasedEntry = (
  tx: Executor,
  id: number,
  { summary, details, metadata, erasedIds }: EntryContent & { erasedIds: readonly string[] },
) => {
  const [detailsJson, metadataJson] = [details, metadata].map((value) =>
    value === null ? null : JSON.stringify(value),
  );
  return sql`SELECT erase_from_log_entry(${id}, ${summary}, ${detailsJson}::jsonb, ${metadataJson}::jsonb, ${erasedIds}::text[])`.execute(
    tx,
  );
};
