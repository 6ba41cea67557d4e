import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

/** The names of the files that these interviews have. */
export async function namedFiles(db: Executor, interviewIds: readonly string[]): Promise<Set<string | null>> {
  const rows = await db
    .selectFrom('interview')
    .select(['video_file', 'thumbnail_file'])
    .where('id', '=', sql<string>`ANY(${interviewIds}::text[])`)
    .execute();
  return new Set(rows.flatMap((row) => [row.video_file, row.thumbnail_file]));
}
