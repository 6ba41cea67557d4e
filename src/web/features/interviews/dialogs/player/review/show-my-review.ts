import type { QueryClient } from '@tanstack/react-query';
import type { InterviewReviews, Review } from '#contracts/reviews.ts';

/** Changes the user's review in the cached reviews of an interview. */
export const showMyReview = (queryClient: QueryClient, id: string, change: (mine: Review | null) => Review | null) =>
  queryClient.setQueryData<InterviewReviews>(
    ['/api/interviews/:id/reviews', { params: { id } }],
    (known) => known && { ...known, mine: change(known.mine) },
  );
