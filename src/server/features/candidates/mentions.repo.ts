import { type Selectable, sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import type { DB } from '../../db/tables.ts';
import type { EntryTexts } from './redact-entry.ts';
import { searchedTexts, type Traces } from './traces.ts';

export type Entry = Pick<Selectable<DB['log_entry']>, 'id' | 'type' | 'action' | 'status' | 'summary' | 'created_at'> &
  EntryTexts;

/** The entry of a large refresh has megabytes. */
const AT_ONCE = 20;

/** Log entries that may mention the candidate, the oldest first, a few in memory at a time. */
export async function* entriesMentioning(db: Executor, traces: Traces): AsyncGenerator<Entry> {
  const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const inText = searchedTexts(traces).map(like);
  // As they stand in JSON: with quotes escaped, and short ids as whole texts.
  const inJson = [
    ...searchedTexts(traces).map((text) => like(JSON.stringify(text).slice(1, -1))),
    ...traces.ids.map((id) => like(JSON.stringify(id))),
  ];
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('log_entry')
      .selectAll()
      .where('id', '>', last)
      .where(
        sql<boolean>`(summary ILIKE ANY(${inText}::text[]) OR details::text ILIKE ANY(${inJson}::text[]) OR metadata::text ILIKE ANY(${inJson}::text[]))`,
      )
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < AT_ONCE) return;
    last = end.id;
  }
}

export const rewriteEntry = (tx: Executor, id: number, { summary, details, metadata }: EntryTexts) =>
  tx
    .updateTable('log_entry')
    .set({
      summary,
      details: details === null ? null : JSON.stringify(details),
      metadata: metadata === null ? null : JSON.stringify(metadata),
    })
    .where('id', '=', id)
    .execute();
