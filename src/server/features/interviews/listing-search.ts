import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';

/** A word of the search box, with the funnels whose client name contains it. */
interface SearchWord {
  pattern: string;
  tsquery: string;
  clientFunnelIds: number[];
}

/** Looks up the client names first: there are few funnels, and knowing them keeps the large query simple enough for its index. */
export async function resolveSearch(db: Database, words: readonly string[]): Promise<SearchWord[]> {
  if (words.length === 0) return [];
  const { rows } = await sql<{
    id: number;
    client_name: string;
  }>`SELECT id, lower(client_name) AS client_name FROM funnel WHERE client_name IS NOT NULL`.execute(db);
  const lowered = await sql<{
    word: string;
  }>`SELECT lower(w) AS word FROM unnest(${words}::text[]) WITH ORDINALITY AS given (w, at) ORDER BY at`.execute(db);
  return lowered.rows.map(({ word }) => ({
    pattern: `%${word.replace(/[\\%_]/g, '\\$&')}%`,
    tsquery: `'${word.replace(/\\/g, '\\\\').replaceAll("'", "''")}':*`,
    clientFunnelIds: rows.flatMap((funnel) => (funnel.client_name.includes(word) ? [funnel.id] : [])),
  }));
}

const inColumns = ({ pattern, clientFunnelIds }: SearchWord): RawBuilder<SqlBool> =>
  clientFunnelIds.length === 0
    ? sql<SqlBool>`l.search_text LIKE ${pattern}`
    : sql<SqlBool>`(l.search_text LIKE ${pattern} OR l.funnel_id = ANY(${clientFunnelIds}::int[]))`;

const inTexts = ({ tsquery }: SearchWord): RawBuilder<SqlBool> =>
  sql<SqlBool>`EXISTS (SELECT 1 FROM interview_text AS t WHERE t.interview_id = l.interview_id AND t.words @@ to_tsquery('simple', ${tsquery}))`;

/**
 * The rows of `listing` that a search finds and `where` lets through, as a table. The first word is looked up in its two indexes, apart
 * and without overlap, because an OR over two tables would use neither; further words are checked on what it found.
 */
export function searchedListing(words: readonly SearchWord[], where: RawBuilder<SqlBool>): RawBuilder<unknown> {
  const [first, ...others] = words;
  if (!first) return sql`(SELECT l.* FROM listing AS l WHERE ${where})`;
  const rest = others.map((word) => sql` AND (${inColumns(word)} OR ${inTexts(word)})`);
  const further = sql.join(rest, sql``);
  return sql`(
    SELECT l.* FROM listing AS l WHERE ${inColumns(first)} AND ${where}${further}
    UNION ALL
    SELECT l.* FROM interview_text AS found JOIN listing AS l USING (interview_id)
    WHERE found.words @@ to_tsquery('simple', ${first.tsquery}) AND NOT ${inColumns(first)} AND ${where}${further}
  )`;
}
