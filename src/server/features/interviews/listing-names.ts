import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

/** A word of the search box, with the funnels whose client name contains it. */
export interface SearchWord {
  pattern: string;
  tsquery: string;
  clientFunnelIds: number[];
}

/** What the names in a filter mean at a version of the listing: every change of a client's name moves the version. */
export interface Names {
  version: number;
  words: SearchWord[];
  /** The funnels of the clients that the filter names; null when it names none. */
  clientFunnelIds: number[] | null;
}

interface NameRow {
  version: number;
  ofClients: number[];
  word: string | null;
  ofWord: number[];
}

/**
 * Looks up the client names before the large queries, and not within them: there are few funnels, and a query that is told their
 * numbers is planned quicker and can use its index. Null when the filter has no names.
 */
export async function lookUpNames(
  db: Database,
  { words, clientNames }: { words: readonly string[]; clientNames: readonly string[] | null },
): Promise<Names | null> {
  if (words.length === 0 && clientNames === null) return null;
  const { rows } = await sql<NameRow>`
    SELECT state.version, lower(given.word) AS word,
      ARRAY(SELECT id FROM funnel WHERE client_name = ANY(${clientNames ?? []}::text[])) AS "ofClients",
      ARRAY(SELECT id FROM funnel WHERE strpos(lower(client_name), lower(given.word)) > 0) AS "ofWord"
    FROM listing_state AS state LEFT JOIN unnest(${words}::text[]) WITH ORDINALITY AS given (word, at) ON true
    ORDER BY at
  `.execute(db);
  return {
    version: rows[0]?.version ?? 0,
    words: rows.flatMap(({ word, ofWord }) => (word === null ? [] : [searchWord(word, ofWord)])),
    clientFunnelIds: clientNames && (rows[0]?.ofClients ?? []),
  };
}

const searchWord = (word: string, clientFunnelIds: number[]): SearchWord => ({
  pattern: `%${word.replace(/[\\%_]/g, '\\$&')}%`,
  tsquery: `'${word.replace(/\\/g, '\\\\').replaceAll("'", "''")}':*`,
  clientFunnelIds,
});
