import { sql } from 'kysely';
import type { Question } from '#contracts/interviews.ts';
import type { AnswerStart } from '#contracts/review.ts';
import type { Executor } from '#server/db/database.ts';
import type { RecordedInterview } from '#server/features/interviews/interviews.repo.ts';

interface AnswersRow {
  id: string;
  questions: Question[];
  summarized: AnswerStart[];
  marked: AnswerStart[];
  /** Answers that were recorded separately and then joined. */
  recorded: (AnswerStart & { question: string | null })[];
}

/**
 * Lists where the answers of each interview start, in the order of its recording: as marked by
 * staff, else as joined or as reported by the interview service, else as found by the summary. The
 * map has no entry for an interview that does not exist.
 */
export async function listAnswers(db: Executor, interviewIds: readonly string[]): Promise<Map<string, AnswerStart[]>> {
  const { rows } = await sql<AnswersRow>`
    SELECT i.id, i.questions, coalesce(t.summary_structure -> 'answers', '[]') AS summarized,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('position', s.position, 'startSeconds', s.start_seconds))
        FROM answer_start AS s WHERE s.interview_id = i.id
      ), '[]') AS marked,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('position', s.position, 'question', s.question, 'startSeconds', s.start_seconds))
        FROM interview_segment AS s WHERE s.interview_id = i.id AND s.start_seconds IS NOT NULL
      ), '[]') AS recorded
    FROM interview AS i LEFT JOIN interview_text AS t ON t.interview_id = i.id WHERE i.id = ANY(${interviewIds}::text[])
  `.execute(db);
  return new Map(rows.map((row) => [row.id, answersOf(row)]));
}

function answersOf({ questions, summarized, recorded, marked }: AnswersRow): AnswerStart[] {
  const reported = questions.flatMap(({ position, startSeconds }) =>
    startSeconds === undefined ? [] : [{ position, startSeconds }],
  );
  const joined = recorded.map(({ position, question, startSeconds }) => ({
    position: questions.find((one) => one.question === question)?.position ?? position,
    startSeconds,
  }));
  const all = [...summarized, ...reported, ...joined, ...marked];
  const known = new Map(all.map((answer) => [answer.position, answer]));
  return questions.flatMap(({ position }) => known.get(position) ?? []).sort((a, b) => a.startSeconds - b.startSeconds);
}

/** Undefined when the interview does not exist. */
export async function updateAnswerStart(db: Executor, interviewId: string, { position, startSeconds }: AnswerStart) {
  const { rows } = await sql<RecordedInterview>`
    WITH found AS (SELECT id, title, funnel_id FROM interview WHERE id = ${interviewId}),
    stored AS (
      INSERT INTO answer_start (interview_id, position, start_seconds)
      SELECT id, ${position}::int, ${startSeconds}::float8 FROM found
      ON CONFLICT (interview_id, position) DO UPDATE SET start_seconds = excluded.start_seconds
    )
    SELECT title, funnel_id AS "funnelId" FROM found
  `.execute(db);
  return rows[0];
}
