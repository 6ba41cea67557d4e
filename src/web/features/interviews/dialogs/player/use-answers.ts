import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Interview, Question } from '#contracts/interviews.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { answerTo } from './interview-parts.ts';

/** A question, and the facts about its answer. */
export interface AnsweredQuestion extends Question {
  /** The start of the answer in seconds. Null when it is unknown. */
  start: number | null;
  /** The length of an answer that was recorded separately. */
  seconds: number | null;
  /** False while the interview service processes the recording of the answer. */
  isReady: boolean;
}

/** The questions of an interview in their order, with what is known about their answers. */
export function useAnswers({ id, processingStatus }: Interview): AnsweredQuestion[] {
  const { data } = useQuery({ ...endpointQuery('/api/interviews/:id/answers', { params: { id } }), retry: 1 });
  const { data: video } = useQuery({ ...endpointQuery('/api/interviews/:id/video', { params: { id } }), retry: 1 });
  return processingStatus.questions
    .toSorted((a, b) => a.position - b.position)
    .map((question) => {
      const known = data?.answers.find(({ position }) => position === question.position)?.startSeconds;
      const answer = answerTo(question, video?.segments ?? []);
      return {
        ...question,
        start: known ?? (answer?.isReady ? answer.start : null),
        seconds: answer?.durationSeconds || null,
        isReady: answer?.isReady ?? true,
      };
    });
}

/** Stores where the answer to a question starts. */
export function useMarkAnswer(id: string): (position: number, startSeconds: number) => void {
  const queryClient = useQueryClient();
  const { mutate } = useAction('POST /api/interviews/:id/answers', {
    onSuccess: (_response, { params }) =>
      queryClient.invalidateQueries({ queryKey: ['/api/interviews/:id/answers', { params }] }),
    onError: toastFailure("Couldn't mark the start"),
  });
  return (position, startSeconds) => mutate({ params: { id }, body: { position, startSeconds } });
}
