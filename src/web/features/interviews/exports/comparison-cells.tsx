import { Play } from 'lucide-react';
import type { InterviewReviews } from '#contracts/reviews.ts';
import { recommendationLabel } from '#contracts/rules/recommendations.ts';
import { type SummaryStructure, VERDICT_LABELS } from '#contracts/summaries.ts';
import { formatCount, formatDuration } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';

type Expectation = SummaryStructure['expectations'][number];

interface ExpectationProps {
  expectation: Expectation | undefined;
  candidate: string;
  onPlay: (seconds: number) => void;
}

/** The verdict of the summary with its first quote that has a time. */
export function ExpectationCell({ expectation, candidate, onPlay }: ExpectationProps) {
  if (!expectation) return <Missing>No structured summary</Missing>;
  const { verdict, note, quotes } = expectation;
  const quote = quotes.find(({ startSeconds }) => startSeconds !== null) ?? quotes[0];
  const start = quote?.startSeconds ?? null;
  return (
    <>
      <p className="font-medium">{VERDICT_LABELS[verdict]}</p>
      {note && <p className="text-muted">{note}</p>}
      {quote && <blockquote className="mt-1 border-l-2 border-line pl-3">“{quote.text}”</blockquote>}
      {start !== null && (
        <Button
          size="sm"
          variant="ghost"
          className="not-printed mt-1"
          aria-label={`Play ${candidate} at ${formatDuration(Math.floor(start))}`}
          onClick={() => onPlay(start)}
        >
          <Play aria-hidden />
          {formatDuration(Math.floor(start))}
        </Button>
      )}
    </>
  );
}

interface ReviewsProps {
  /** Null while they load. */
  reviews: InterviewReviews | null;
}

/** The user's rating, and colleagues' ratings once the user may read them. */
export function RatingCell({ criterion, reviews }: ReviewsProps & { criterion: string }) {
  if (!reviews) return null;
  const ratingOf = (ratings: Record<string, number | null>) =>
    Object.hasOwn(ratings, criterion) ? (ratings[criterion] ?? 'Not shown') : null;
  const mine = reviews.mine?.submittedAt ? ratingOf(reviews.mine.content.ratings) : null;
  const others = reviews.others.flatMap(({ author, content }) => {
    const rating = content && ratingOf(content.ratings);
    return rating === null ? [] : [`${author} ${rating}`];
  });
  const average = reviews.average?.ratings[criterion];
  return (
    <>
      {mine === null ? <Missing>Not rated by you</Missing> : <p>You: {mine}</p>}
      {others.length > 0 && <p>{others.join(', ')}</p>}
      {average != null && <p className="text-muted">Average {average.toFixed(1)}</p>}
    </>
  );
}

export function RecommendationCell({ reviews }: ReviewsProps) {
  if (!reviews) return null;
  const { mine, others } = reviews;
  const hidden = others.filter(({ content }) => content === null).length;
  const own = mine?.submittedAt ? recommendationLabel(mine.content.recommendation ?? 0) : null;
  return (
    <>
      {own === null ? <Missing>Not reviewed by you</Missing> : <p>You: {own}</p>}
      {others.map(
        ({ author, content }) =>
          content && (
            <p key={author}>
              {author}: {recommendationLabel(content.recommendation ?? 0)}
            </p>
          ),
      )}
      {hidden > 0 && (
        <Missing>
          {`${formatCount(hidden, 'colleague has', 'colleagues have')} reviewed. Submit your review to read theirs.`}
        </Missing>
      )}
    </>
  );
}

const Missing = ({ children }: { children: string }) => <p className="text-muted">{children}</p>;
