import { useMutation, useQueryClient } from '@tanstack/react-query';
import { beginReview, type InterviewFilters, reviewFilters } from '#web/features/interviews/interview-filters.ts';
import { interviewsQuery } from '#web/features/interviews/interviews-query.ts';
import { toastFailure } from '#web/lib/toast.ts';
import { type AnswerReview, openDialog } from '#web/lib/use-dialog.ts';

/**
 * Opens the player on the first unwatched interview. With null, the review plays whole interviews.
 */
export function useStartReview(filters: InterviewFilters, onEmpty?: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (answers: AnswerReview | null) => {
      beginReview();
      return queryClient.fetchQuery(interviewsQuery({ ...reviewFilters(filters, answers?.job), page: 1 }));
    },
    onSuccess: (page, answers) => {
      const [first] = page?.interviews ?? [];
      if (first) return openDialog({ name: 'video', id: first.id, review: answers ?? true });
      // They were watched in another tab.
      queryClient.invalidateQueries({ queryKey: ['/api/review'] });
      onEmpty?.();
    },
    onError: toastFailure("Couldn't start the review"),
  });
}
