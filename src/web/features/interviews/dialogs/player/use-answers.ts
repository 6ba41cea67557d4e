import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Interview, Question } from '#contracts/interviews.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';

/** A question, and where its answer starts in seconds; null when that is unknown. */
export type AnsweredQuestion = Question & { start: number | null };

/** The questions of an interview in their order, with what is known about their answers. */
export function useAnswers({ id, processingStatus }: Interview): AnsweredQuestion[] {
  const { data } = useQuery({ ...endpointQuery('/api/interviews/:id/answers', { params: { id } }), retry: 1 });
  return processingStatus.questions
    .toSorted((a, b) => a.position - b.position)
    .map((question) => ({
      ...question,
      start: data?.answers.find(({ position }) => position === question.position)?.startSeconds ?? null,
    }));
}

/** Stores where the answer to a question starts. */
export function useMarkAnswer(id: string): (position: number, startSeconds: number) => void {
  const queryClient = useQueryClient();
  const { mutate } = useAction('POST /api/interviews/:id/answers', {
    onSuccess: (_answer, { params }) =>
      queryClient.invalidateQueries({ queryKey: ['/api/interviews/:id/answers', { params }] }),
    onError: ({ message }) =>
      toast({ title: 'Error', description: `Failed to mark the start: ${message}`, variant: 'destructive' }),
  });
  return (position, startSeconds) => mutate({ params: { id }, body: { position, startSeconds } });
}
