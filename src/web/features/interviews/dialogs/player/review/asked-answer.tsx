import { useQuery } from '@tanstack/react-query';
import type { Interview } from '#contracts/interviews.ts';
import { plainText } from '#contracts/rules/plain-text.ts';
import type { AnsweredQuestion } from '#web/features/interviews/dialogs/player/use-answers.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useMay } from '#web/lib/may.ts';
import { useAnswerReview } from '#web/lib/use-dialog.ts';

/** The part of a video that a review plays, in seconds. Null: unknown. */
export interface Excerpt {
  start: number | null;
  end: number | null;
}

export interface AskedAnswer extends Excerpt {
  /** The number of the question, from 1. */
  number: number;
  /** Undefined if the interview does not have the question. */
  question: AnsweredQuestion | undefined;
}

/** The answer that a review plays of each interview; null while it plays whole interviews. */
export function useAskedAnswer(questions: readonly AnsweredQuestion[]): AskedAnswer | null {
  const review = useAnswerReview();
  if (!review) return null;
  const question = questions.find(({ position }) => position + 1 === review.answer);
  const start = question?.start ?? null;
  return { number: review.answer, question, start, end: start === null ? null : endOf(start, question, questions) };
}

/** An answer ends where the next one starts. */
function endOf(start: number, question: AnsweredQuestion | undefined, questions: readonly AnsweredQuestion[]) {
  const later = questions.flatMap((other) => (other.start !== null && other.start > start ? [other.start] : []));
  if (question?.seconds) later.push(start + question.seconds);
  return later.length > 0 ? Math.min(...later) : null;
}

interface NoteProps {
  interview: Interview;
  asked: AskedAnswer;
}

/** The question above the video, or why its answer does not play. */
export function AskedQuestion({ interview, asked: { number, question, start } }: NoteProps) {
  const { isPending } = useQuery({
    ...endpointQuery('/api/interviews/:id/answers', { params: { id: interview.id } }),
    retry: 1,
  });
  const mayMark = useMay()('POST /api/interviews/:id/answers');
  const isUnknown = question?.isReady === true && start === null && !isPending;
  return (
    <p role="status" className="mb-3 text-sm text-muted">
      {question ? (
        <span className="text-ink">
          <span className="font-medium">Question {number}:</span> {plainText(question.question)}
        </span>
      ) : (
        `This interview has no question ${number}.`
      )}
      {question?.isReady === false && ' Its answer is still being processed.'}
      {isUnknown && ` The start of its answer is unknown.${mayMark ? ' Mark it in "Questions".' : ''}`}
    </p>
  );
}
