import type { QueryClient } from '@tanstack/react-query';
import type { InterviewReviews, Review } from '#contracts/reviews.ts';

/** Changes the user's review in the cached reviews of an interview. */
export function showMyReview(queryClient: QueryClient, id: string, change: (mine: Review | null) => Review | null) {
  const queryKey = ['/api/interviews/:id/reviews', { params: { id } }] as const;
  queryClient.setQueryData<InterviewReviews>(queryKey, (known) => known && { ...known, mine: change(known.mine) });
  // A read that began before would bring the former review back.
  if (queryClient.isFetching({ queryKey }) > 0) void queryClient.invalidateQueries({ queryKey });
}
