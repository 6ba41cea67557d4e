import { sql } from 'kysely';
import type { SearchMatch } from '#contracts/interviews.ts';
import type { Executor } from '#server/db/database.ts';

/** In characters. */
const MAX_LINE = 240;
const BEFORE_WORD = 60;

/**
 * Returns for each interview the line of its transcript or summary that contains most of the words.
 * A word at the beginning of a word in the text counts twice, because a search finds only those.
 */
export async function listTextMatches(db: Executor, interviewIds: readonly string[], words: readonly string[]) {
  const escaped = words.map((word) => word.replace(/[\\%_]/g, '\\$&'));
  const { rows } = await sql<SearchMatch & { interviewId: string; start: number; length: number }>`
    SELECT t.interview_id AS "interviewId", best.field, best.start_seconds AS "startSeconds",
      best.start, length(best.text) AS length, substr(best.text, best.start, ${MAX_LINE}::int) AS text
    FROM interview_text AS t, LATERAL (
      SELECT line.*, greatest(1, found.at - ${BEFORE_WORD}::int) AS start
      FROM (
        SELECT 'transcript' AS field, segment ->> 'text' AS text, nth, (segment ->> 'startSeconds')::float8 AS start_seconds
        FROM jsonb_array_elements(t.segments) WITH ORDINALITY AS segments (segment, nth)
        UNION ALL
        SELECT 'transcript', text, nth, NULL
        FROM string_to_table(t.transcription_text, E'\n') WITH ORDINALITY AS lines (text, nth)
        WHERE jsonb_array_length(coalesce(t.segments, '[]')) = 0
        UNION ALL
        SELECT 'summary', text, nth, NULL
        FROM string_to_table(t.summary_text, E'\n') WITH ORDINALITY AS lines (text, nth)
      ) AS line, LATERAL (
        SELECT min(nullif(strpos(lower(line.text), word), 0)) AS at,
          sum((lower(line.text) LIKE '%' || pattern || '%')::int + (' ' || lower(line.text) LIKE '% ' || pattern || '%')::int) AS score
        FROM unnest(${words}::text[], ${escaped}::text[]) AS searched (word, pattern)
      ) AS found
      WHERE found.score > 0
      ORDER BY found.score DESC, line.field DESC, line.nth LIMIT 1
    ) AS best
    WHERE t.interview_id = ANY(${interviewIds}::text[])
  `.execute(db);
  return rows.map(({ start, length, text, ...row }) => ({ ...row, text: shortened(text, start, length) }));
}

/**
 * Cuts at whole words, if there is a space near enough, and shows where something is missing. The
 * found word begins after at most `BEFORE_WORD` characters.
 */
function shortened(text: string, start: number, length: number): string {
  const first = start > 1 ? text.slice(0, BEFORE_WORD).search(/\s/) + 1 : 0;
  const isCut = start - 1 + text.length < length;
  const space = isCut ? text.lastIndexOf(' ') : -1;
  const last = space > MAX_LINE / 2 ? space : text.length;
  return `${start > 1 ? '… ' : ''}${text.slice(first, last).trim()}${isCut ? ' …' : ''}`;
}
