import { type Selectable, sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type StoredSegment = Selectable<DB['interview_segment']>;

/** In the order of their positions. */
export const listSegments = (db: Executor, interviewIds: readonly string[]): Promise<StoredSegment[]> =>
  db
    .selectFrom('interview_segment')
    .selectAll()
    .where('interview_id', '=', sql<string>`ANY(${interviewIds}::text[])`)
    .orderBy('interview_id')
    .orderBy('position')
    .execute();

/** Replaces the segments of these interviews, which the caller has locked or inserted. */
export async function replaceSegments(
  tx: Executor,
  interviewIds: readonly string[],
  rows: readonly StoredSegment[],
): Promise<void> {
  if (interviewIds.length === 0) return;
  await sql`DELETE FROM interview_segment WHERE interview_id = ANY(${interviewIds}::text[])`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    INSERT INTO interview_segment
    SELECT * FROM jsonb_populate_recordset(NULL::interview_segment, ${JSON.stringify(rows)}::jsonb)
  `.execute(tx);
}
