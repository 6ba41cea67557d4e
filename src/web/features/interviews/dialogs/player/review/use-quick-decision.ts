import { useQueryClient } from '@tanstack/react-query';
import type { Interview } from '#contracts/interviews.ts';
import type { Review } from '#contracts/reviews.ts';
import type { Recommendation } from '#contracts/rules/recommendations.ts';
import { patchInterview } from '#web/features/interviews/interviews-cache.ts';
import { useDraftKey } from '#web/features/session/session.ts';
import { afterResponses } from '#web/lib/after-responses.ts';
import { toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { showMyReview } from './show-my-review.ts';
import { findUnsaved, forgetUnsaved, keepUnsaved, type WrittenReview, writtenIn } from './unsaved-reviews.ts';

const SAVE = ['PUT /api/interviews/:id/review'] as const;

/** The server keeps a review without its decision as a draft. */
const draftOf = (mine: Review | null): Review | null =>
  mine && { ...mine, submittedAt: null, content: { ...mine.content, recommendation: null } };

/** Submits a recommendation only. A draft's ratings and note are kept. */
export function useQuickDecision() {
  const queryClient = useQueryClient();
  const draftKey = useDraftKey('review');
  const show = (id: string, myRecommendation: number | null, change: (mine: Review | null) => Review | null) => {
    patchInterview(queryClient, id, () => ({ myRecommendation }));
    showMyReview(queryClient, id, change);
    // Don't refetch now: the responses contain colleagues' reviews, and reading those is recorded.
    for (const path of ['/api/interviews/:id/reviews', '/api/interviews/:id/comments'] as const)
      queryClient.invalidateQueries({ queryKey: [path, { params: { id } }], refetchType: 'none' });
  };
  const onError = toastFailure('Failed to save the review');
  const { mutate: save } = useAction('PUT /api/interviews/:id/review', {
    keepalive: true,
    onStart:
      ({ params: { id }, body }) =>
      () => {
        const key = `${draftKey} ${id}`;
        if (body.ratings && !findUnsaved(key)) keepUnsaved(key, writtenIn(body));
      },
    onSuccess: (review, { params: { id } }) => show(id, review.content.recommendation, () => review),
    onError,
  });
  const { mutate: withdraw } = useAction('DELETE /api/interviews/:id/review', {
    onSuccess: (_response, { params: { id } }) => show(id, null, draftOf),
    onError,
  });
  const send = (id: string, recommendation: number, written?: WrittenReview) =>
    save({ params: { id }, body: { ...written, recommendation, submit: true } });
  return {
    /**
     * Includes an unsaved draft, which would undo the decision when it is saved later, and unsaved
     * changes of a submitted review that the open scorecard shows.
     */
    save: ({ id, myRecommendation }: Interview, recommendation: Recommendation, isScorecardOpen: boolean) => {
      const key = `${draftKey} ${id}`;
      const written = myRecommendation === null || isScorecardOpen ? findUnsaved(key) : undefined;
      if (written) forgetUnsaved(key);
      // A draft that is being saved must not arrive after the decision.
      afterResponses(queryClient, { routes: SAVE, id }, () => send(id, recommendation, written));
    },
    /** Restores the recommendation that the interview had before the decision. */
    undo: ({ id, myRecommendation }: Interview) =>
      afterResponses(queryClient, { routes: SAVE, id }, () =>
        myRecommendation === null ? withdraw({ params: { id } }) : send(id, myRecommendation),
      ),
  };
}
