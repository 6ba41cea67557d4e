import type { SearchMatch } from '#contracts/interviews.ts';
import type { Executor } from '#server/db/database.ts';
import type { InterviewRow } from '#server/features/interviews/interviews.repo.ts';
import { listTextMatches } from './text-matches.repo.ts';

/** Further words do not make the line easier to recognize. */
const MAX_WORDS = 5;

/**
 * Returns the place where a search found each interview. Words that no column contains are looked
 * up in the transcript and the summary: the line with most of them is the place. When the columns
 * contain all words, the place is the first column with one of them. Empty without words.
 */
export async function findMatches(
  db: Executor,
  rows: readonly InterviewRow[],
  words: readonly string[],
): Promise<ReadonlyMap<string, SearchMatch>> {
  const matches = new Map<string, SearchMatch>();
  if (words.length === 0) return matches;
  const wanted = words.map((word) => word.toLowerCase());
  const inTexts: string[] = [];
  const spoken = new Set<string>();
  for (const row of rows) {
    const match = columnMatch(row, wanted);
    if (match) matches.set(row.id, match);
    const missing = wanted.filter((word) => !columnsOf(row).some(({ text }) => text.toLowerCase().includes(word)));
    if (missing.length === 0) continue;
    inTexts.push(row.id);
    for (const word of missing) spoken.add(word);
  }
  if (inTexts.length === 0) return matches;
  for (const { interviewId, ...match } of await listTextMatches(db, inTexts, [...spoken].slice(0, MAX_WORDS)))
    matches.set(interviewId, match);
  return matches;
}

function columnsOf(row: InterviewRow): SearchMatch[] {
  const columns = {
    candidateName: row.candidate_name,
    title: row.title,
    candidateEmail: row.candidate_email,
    clientName: row.client_name,
    interviewId: row.id,
  };
  return Object.entries(columns).flatMap(([field, text]) =>
    text === null ? [] : [{ field: field as keyof typeof columns, text, startSeconds: null }],
  );
}

const columnMatch = (row: InterviewRow, words: readonly string[]): SearchMatch | undefined =>
  columnsOf(row).find(({ text }) => words.some((word) => text.toLowerCase().includes(word)));
