import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SearchWord } from './listing-names.ts';

/** Up to so many days a search reads through; for more, its index is quicker. */
export const FEW_DAYS = 20;

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

/**
 * The same rows, for a `where` that names a few days: they are read in the order of the list and checked row by row, so that a page is
 * found after as many rows as it takes, whatever the words are. OFFSET 0 keeps the look-up of a text to the row that needs it.
 */
export function searchedDays(words: readonly SearchWord[], where: RawBuilder<SqlBool>): RawBuilder<unknown> {
  const conditions = words.map(
    (word) => sql<SqlBool>`(${inColumns(word)} OR EXISTS (
      SELECT 1 FROM (SELECT words FROM interview_text WHERE interview_text.interview_id = l.interview_id OFFSET 0) AS t
      WHERE t.words @@ to_tsquery('simple', ${word.tsquery})))`,
  );
  return sql`(SELECT l.* FROM listing AS l WHERE ${where} AND ${sql.join(conditions, sql` AND `)})`;
}
