import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** A word of the search box, with the funnels whose client name contains it. */
export interface SearchWord {
  pattern: string;
  tsquery: string;
  clientFunnelIds: number[];
}

export const searchWord = (word: string, clientFunnelIds: number[]): SearchWord => ({
  pattern: `%${word.replace(/[\\%_]/g, '\\$&')}%`,
  tsquery: `'${word.replace(/\\/g, '\\\\').replaceAll("'", "''")}':*`,
  clientFunnelIds,
});

interface SplitSearch {
  /** The funnels of clients whose name contains all words: their interviews all match. */
  matching: number[];
  others: number[];
  /** The words that decide which interviews of `others` match. Empty when there are no `others`. */
  words: SearchWord[];
}

/**
 * Splits a search, because a word of a client's name matches up to all interviews, and reading them
 * takes longer than adding up their counts.
 */
export function splitByClients({ words, funnelIds }: { words: SearchWord[]; funnelIds: number[] }): SplitSearch {
  const isInName = (id: number) => (word: SearchWord) => word.clientFunnelIds.includes(id);
  const matching = funnelIds.filter((id) => words.every(isInName(id)));
  const others = funnelIds.filter((id) => !words.every(isInName(id)));
  return {
    matching,
    others,
    words: words
      .map((word) => ({ ...word, clientFunnelIds: word.clientFunnelIds.filter((id) => others.includes(id)) }))
      .filter(({ clientFunnelIds }) => clientFunnelIds.length < others.length),
  };
}

/**
 * The rows of `listing` that match a search and `where`, in parts without overlap, because an OR
 * over two tables uses the index of neither: those that contain all words in their columns, those
 * whose texts contain the first word, and those whose texts contain only others.
 */
export function searchByIndex(words: readonly SearchWord[], where: RawBuilder<SqlBool>): RawBuilder<unknown> {
  const [first, ...others] = words;
  if (!first) return sql`(SELECT l.* FROM listing AS l WHERE ${where})`;
  const inColumns = all(words.map(isInColumns));
  const furtherWords = others.map((word) => sql<SqlBool>`(${isInColumns(word)} OR ${isInText(word)})`);
  const join = sql`SELECT l.* FROM interview_text AS t JOIN listing AS l USING (interview_id)`;
  const onlyOthers = sql`
    UNION ALL
    ${join} WHERE ${isInText({ tsquery: others.map(({ tsquery }) => tsquery).join(' | ') })}
      AND ${all([isInColumns(first), ...furtherWords])} AND NOT (${inColumns}) AND ${where}`;
  return sql`(
    SELECT l.* FROM listing AS l WHERE ${inColumns} AND ${where}
    UNION ALL
    ${join} WHERE ${all([isInText(first), ...furtherWords])} AND NOT ${isInColumns(first)} AND ${where}
    ${others.length > 0 ? onlyOthers : sql``}
  )`;
}

/**
 * Finds the same rows for a `where` with few days: they are read in list order and checked one by
 * one, so a page needs only as many rows as it takes to fill it, whatever the words are. OFFSET 0
 * keeps the planner from looking up all texts in advance.
 */
export function searchByScan(words: readonly SearchWord[], where: RawBuilder<SqlBool>): RawBuilder<unknown> {
  const conditions = words.map(
    (word) => sql<SqlBool>`(${isInColumns(word)} OR EXISTS (
      SELECT 1 FROM (SELECT words FROM interview_text WHERE interview_text.interview_id = l.interview_id OFFSET 0) AS t
      WHERE ${isInText(word)}))`,
  );
  return sql`(SELECT l.* FROM listing AS l WHERE ${all([where, ...conditions])})`;
}

const isInColumns = ({ pattern, clientFunnelIds }: SearchWord): RawBuilder<SqlBool> =>
  clientFunnelIds.length === 0
    ? sql<SqlBool>`l.search_text LIKE ${pattern}`
    : sql<SqlBool>`(l.search_text LIKE ${pattern} OR l.funnel_id = ANY(${clientFunnelIds}::int[]))`;

const isInText = ({ tsquery }: Pick<SearchWord, 'tsquery'>): RawBuilder<SqlBool> =>
  sql<SqlBool>`t.words @@ to_tsquery('simple', ${tsquery})`;

const all = (conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> => sql.join(conditions, sql` AND `);
