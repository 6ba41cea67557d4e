import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import type { InterviewRow } from '#server/features/interviews/interviews.repo.ts';
import { allMatches, findFilterNames, type ListOrder, NEWEST_FIRST, OLDEST_FIRST } from './listing.repo.ts';
import type { ListingFilter } from './listing-filter.ts';
import { isWatchedBy, recommendationOf } from './marks.repo.ts';

export interface ListedRowsInput {
  filter: ListingFilter;
  /** Only these interviews. Null: all that the filter finds. */
  ids: readonly string[] | null;
  order: ListOrder;
  /** The account whose watched and reviewed interviews are marked. */
  accountId: number | null;
}

export type ListedRow = InterviewRow & { funnel_name: string };

const ORDERS: Record<ListOrder, RawBuilder<unknown>> = {
  newest: NEWEST_FIRST,
  oldest: OLDEST_FIRST,
  longest: sql`i.duration_seconds DESC, l.recorded_at DESC, l.interview_id DESC`,
};

/**
 * All interviews that a filter finds, of one moment, in batches and without texts. It holds a
 * connection until its end, and memory for one batch.
 */
export async function* streamListedRows(
  db: Database,
  { filter, ids, order, accountId }: ListedRowsInput,
  batchSize: number,
): AsyncGenerator<ListedRow[]> {
  const { names } = await findFilterNames(db, filter, null);
  const tx = await db.startTransaction().setAccessMode('read only').execute();
  try {
    await sql`DECLARE listed NO SCROLL CURSOR FOR
      SELECT i.*, f.client_name, f.external_id, f.name AS funnel_name,
        NULL AS transcription_text, NULL AS summary_text,
        ${isWatchedBy(accountId, 'i.id')} AS watched, ${recommendationOf(accountId, 'i.id')} AS my_recommendation
      FROM ${allMatches(filter, names)} AS l
      JOIN interview AS i ON i.id = l.interview_id
      JOIN funnel AS f ON f.id = i.funnel_id
      WHERE ${ids}::text[] IS NULL OR i.id = ANY(${ids}::text[])
      ORDER BY ${ORDERS[order]}
    `.execute(tx);
    for (;;) {
      const { rows } = await sql<ListedRow>`FETCH ${sql.lit(batchSize)} FROM listed`.execute(tx);
      if (rows.length > 0) yield rows;
      if (rows.length < batchSize) return;
    }
  } finally {
    // Also when the caller stops early.
    await tx.rollback().execute();
  }
}
