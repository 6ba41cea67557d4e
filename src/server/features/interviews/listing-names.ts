import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { PREPARED } from '../../db/prepared.ts';

/** A word of the search box, with the funnels whose client name contains it. */
export interface SearchWord {
  pattern: string;
  tsquery: string;
  clientFunnelIds: number[];
}

/** What the names in a filter mean: every change of a client's name moves the version. */
export interface Names {
  words: SearchWord[];
  /** The funnels of the clients that the filter names; null when it names none. */
  clientFunnelIds: number[] | null;
}

/** What has to be known before counting, all of one version of the listing. */
export interface Lookup {
  version: number;
  names: Names;
  /** The days that have changed since the version asked for. */
  changed: string[];
}

interface LookupRow {
  version: number;
  changed: string[];
  ofClients: number[];
  word: string | null;
  ofWord: number[];
}

/**
 * Looks up the client names, and the days that have changed since a version (none for null), before the large queries and not within
 * them: they are few, and a query that is told them is planned quicker and reads by its index.
 */
export async function lookUp(
  db: Database,
  { words, clientNames }: { words: readonly string[]; clientNames: readonly string[] | null },
  since: number | null,
): Promise<Lookup> {
  const { rows } = await sql<LookupRow>`${PREPARED}
    SELECT state.version, lower(given.word) AS word,
      ARRAY(SELECT to_char(day, 'YYYY-MM-DD') FROM listing_day WHERE listing_day.version > ${since}::bigint) AS changed,
      ARRAY(SELECT id FROM funnel WHERE client_name = ANY(${clientNames ?? []}::text[])) AS "ofClients",
      ARRAY(SELECT id FROM funnel WHERE strpos(lower(client_name), lower(given.word)) > 0) AS "ofWord"
    FROM listing_state AS state LEFT JOIN unnest(${words}::text[]) WITH ORDINALITY AS given (word, at) ON true
    ORDER BY at
  `.execute(db);
  return {
    version: rows[0]?.version ?? 0,
    changed: rows[0]?.changed ?? [],
    names: {
      words: rows.flatMap(({ word, ofWord }) => (word === null ? [] : [searchWord(word, ofWord)])),
      clientFunnelIds: clientNames && (rows[0]?.ofClients ?? []),
    },
  };
}

const searchWord = (word: string, clientFunnelIds: number[]): SearchWord => ({
  pattern: `%${word.replace(/[\\%_]/g, '\\$&')}%`,
  tsquery: `'${word.replace(/\\/g, '\\\\').replaceAll("'", "''")}':*`,
  clientFunnelIds,
});
