import { useQueryClient } from '@tanstack/react-query';
import type { Criterion, InterviewReviews } from '#contracts/reviews.ts';
import { recommendationLabel } from '#contracts/rules/recommendations.ts';
import { toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Button } from '#web/ui/forms/button.tsx';

interface Props {
  interviewId: string;
  reviews: InterviewReviews;
  criteria: readonly Criterion[];
}

/** The number of colleagues' reviews, and the reviews once the user may read them. */
export function OthersReviews({ interviewId, reviews: { others, count, average }, criteria }: Props) {
  if (count === 0) return null;
  const isHidden = others.some(({ content }) => content === null);
  return (
    <section aria-label="Colleagues' reviews" className="flex flex-col gap-3 border-t border-line pt-4 text-sm">
      <p className="font-medium">{count === 1 ? '1 colleague has reviewed' : `${count} colleagues have reviewed`}</p>
      {isHidden && <Hidden interviewId={interviewId} />}
      {average && (
        <p>
          Average of {average.count} independent reviews:{' '}
          {criteria.map(({ key, label }) => `${label} ${average.ratings[key]?.toFixed(1) ?? '–'}`).join(' · ')}
        </p>
      )}
      <ul className="divide-y divide-line">
        {others.map((review) => (
          <ReviewLines key={`${review.author} ${review.submittedAt}`} review={review} />
        ))}
      </ul>
    </section>
  );
}

function Hidden({ interviewId }: { interviewId: string }) {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useAction('POST /api/interviews/:id/reviews/read', {
    onSuccess: async (_response, { params }) => {
      await queryClient.invalidateQueries({ queryKey: ['/api/interviews/:id/comments', { params }] });
      await queryClient.invalidateQueries({ queryKey: ['/api/interviews/:id/reviews', { params }] });
    },
    onError: toastFailure("Couldn't open the reviews"),
  });
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-muted">
        Submit your review to read theirs. Reading without reviewing is logged, and a later review of yours is marked
        and left out of the average.
      </p>
      <Button size="sm" pending={isPending} onClick={() => mutate({ params: { id: interviewId } })}>
        Read without reviewing
      </Button>
    </div>
  );
}

type ReadReview = Pick<InterviewReviews['others'][number], 'author' | 'afterReading' | 'content'>;

/** A review that the user may read. */
export function ReviewLines({ review: { author, afterReading, content } }: { review: ReadReview }) {
  if (!content) return null;
  const rated = content.criteria.filter(({ key }) => Object.hasOwn(content.ratings, key));
  return (
    <li className="py-2">
      <p>
        <span className="font-medium">{author}</span>: {recommendationLabel(content.recommendation ?? 0)}
        {afterReading && <span className="text-muted"> · after reading others</span>}
      </p>
      {rated.length > 0 && (
        <p className="text-muted">
          {rated.map(({ key, label }) => `${label} ${content.ratings[key] ?? 'not shown'}`).join(' · ')}
        </p>
      )}
      {content.note && <p className="break-words whitespace-pre-wrap">{content.note}</p>}
    </li>
  );
}
