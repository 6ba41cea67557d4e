import { useQuery } from '@tanstack/react-query';
import type { InterviewReviews } from '#contracts/reviews.ts';
import { ReviewLines } from '#web/features/interviews/dialogs/player/review/others-reviews.tsx';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatCount } from '#web/lib/format.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';

/** Prints the reviews that the user may read. Opening the page does not reveal others. */
export function PrintedReviews({ interviewId, funnelId }: { interviewId: string; funnelId: number }) {
  const params = { id: interviewId };
  const { data, error } = useQuery({ ...endpointQuery('/api/interviews/:id/reviews', { params }), staleTime: 0 });
  const scorecard = useQuery(endpointQuery('/api/funnels/:id/scorecard', { params: { id: funnelId } }));
  return (
    <section>
      <h2 className="mb-2 border-b border-line pb-1 text-lg font-semibold break-after-avoid">Reviews</h2>
      {error && <p className="text-danger-ink">{error.message}</p>}
      {!error && !data && <Loading>Loading the reviews...</Loading>}
      {data && <Readable reviews={data} labels={labelsOf(scorecard.data?.criteria ?? [])} />}
    </section>
  );
}

const labelsOf = (criteria: readonly { key: string; label: string }[]) =>
  new Map(criteria.map(({ key, label }) => [key, label]));

function Readable({
  reviews: { mine, others, average },
  labels,
}: {
  reviews: InterviewReviews;
  labels: Map<string, string>;
}) {
  const hidden = others.filter(({ content }) => content === null).length;
  const submitted = mine?.submittedAt ? [mine] : [];
  const read = [...submitted, ...others].filter(({ content }) => content !== null);
  return (
    <>
      {average && (
        <p className="mb-1">
          Average of {average.count} independent reviews:{' '}
          {Object.entries(average.ratings)
            .map(([key, rating]) => `${labels.get(key) ?? key} ${rating?.toFixed(1) ?? '–'}`)
            .join(' · ')}
        </p>
      )}
      <ul className="divide-y divide-line">
        {read.map((review) => (
          <ReviewLines key={`${review.author} ${review.submittedAt}`} review={review} />
        ))}
      </ul>
      {hidden > 0 && (
        <p className="text-muted">
          {formatCount(hidden, 'colleague has', 'colleagues have')} reviewed. Submit your review to read theirs.
        </p>
      )}
      {read.length + hidden === 0 && <p className="text-muted">No reviews yet.</p>}
    </>
  );
}
