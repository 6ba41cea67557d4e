import { type Selectable, sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type StoredLogEntry = Selectable<DB['log_entry']>;

/** Entries in memory at a time: the entry of a large refresh takes megabytes. */
const BATCH_SIZE = 20;

const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Entries whose summary contains one of `texts`, or whose details or metadata contain one of
 * `jsonTexts`.
 */
export interface Mentioned {
  texts: readonly string[];
  jsonTexts: readonly string[];
}

/** Oldest first. */
export async function* listMentions(db: Executor, { texts, jsonTexts }: Mentioned): AsyncGenerator<StoredLogEntry> {
  const inSummary = texts.map(containing);
  const inJson = jsonTexts.map(containing);
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('log_entry')
      .selectAll()
      .where('id', '>', last)
      .where(
        sql<boolean>`(summary ILIKE ANY(${inSummary}::text[]) OR details::text ILIKE ANY(${inJson}::text[]) OR metadata::text ILIKE ANY(${inJson}::text[]))`,
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

/** The application may change no other column. */
export const updateEntryTexts = (
  tx: Executor,
  id: number,
  { summary, details, metadata }: { summary: string; details: unknown; metadata: unknown },
) => {
  const [detailsJson, metadataJson] = [details, metadata].map((value) =>
    value === null ? null : JSON.stringify(value),
  );
  return sql`SELECT redact_log_entry(${id}, ${summary}, ${detailsJson}::jsonb, ${metadataJson}::jsonb)`.execute(tx);
};
