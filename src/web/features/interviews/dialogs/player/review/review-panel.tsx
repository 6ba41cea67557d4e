import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Criterion, InterviewReviews, Review } from '#contracts/reviews.ts';
import { MAX_NOTES_LENGTH } from '#contracts/rules/limits.ts';
import { RECOMMENDATIONS, recommendationLabel } from '#contracts/rules/recommendations.ts';
import { RestoredNote } from '#web/features/drafts/restored-note.tsx';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useLive } from '#web/lib/live.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { focusRating } from './focus-rating.ts';
import { OthersReviews } from './others-reviews.tsx';
import { Steps } from './rating-steps.tsx';
import { ratingsOf, useReviewDraft } from './use-review-draft.ts';

interface Props {
  interviewId: string;
  funnelId: number;
  /** Moves the focus to the first criterion. */
  takesFocus: boolean;
}

/** The user's review, and colleagues' reviews once it is submitted. */
export function ReviewPanel({ interviewId, funnelId, takesFocus }: Props) {
  const queryClient = useQueryClient();
  const query = endpointQuery('/api/interviews/:id/reviews', { params: { id: interviewId } });
  const { data, error } = useQuery({ ...query, staleTime: 0 });
  const scorecard = useQuery(endpointQuery('/api/funnels/:id/scorecard', { params: { id: funnelId } }));
  const failure = error ?? scorecard.error;
  useLive((message) => {
    if (message.type === 'reviews-changed' && message.data.interviewId === interviewId)
      queryClient.invalidateQueries({ queryKey: query.queryKey });
  });
  // A failed reload must not unmount the form, which has unsaved text.
  if (!data || !scorecard.data)
    return failure ? <p className="text-danger-ink">{failure.message}</p> : <Loading>Loading the reviews...</Loading>;
  return (
    <div className="flex flex-col gap-5">
      <ReviewForm
        interviewId={interviewId}
        takesFocus={takesFocus}
        {...ratedBy(data.mine, criteriaOf(data, scorecard.data.criteria))}
      />
      <OthersReviews interviewId={interviewId} reviews={data} criteria={scorecard.data.criteria} />
    </div>
  );
}

/** A submitted review with ratings keeps its criteria. */
const criteriaOf = ({ mine }: InterviewReviews, current: Criterion[]): Criterion[] =>
  mine?.submittedAt && Object.keys(mine.content.ratings).length > 0 ? mine.content.criteria : current;

/** The review without ratings of criteria that were removed from the scorecard. */
function ratedBy(mine: Review | null, criteria: readonly Criterion[]): Pick<FormProps, 'mine' | 'criteria'> {
  if (!mine) return { mine, criteria };
  return {
    mine: { ...mine, content: { ...mine.content, ratings: ratingsOf(mine.content.ratings, criteria) } },
    criteria,
  };
}

const RATINGS = [1, 2, 3, 4, 5, null] as const;
const nameOfRating = (rating: number | null) => (rating === null ? 'Not shown' : String(rating));

interface FormProps {
  interviewId: string;
  takesFocus: boolean;
  mine: Review | null;
  criteria: readonly Criterion[];
}

function ReviewForm({ interviewId, takesFocus, mine, criteria }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (takesFocus) focusRating(form.current?.parentNode ?? null);
  }, [takesFocus]);
  const { content, isSubmitted, isSaving, isRestored, change, submit, discard } = useReviewDraft(
    interviewId,
    mine,
    criteria,
  );
  const { ratings, recommendation, note } = content;
  return (
    <form
      ref={form}
      aria-label="My review"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {criteria.map(({ key, label, low, middle, high }) => (
        <Steps
          key={key}
          label={label}
          hint={[low && `1: ${low}`, middle && `3: ${middle}`, high && `5: ${high}`].filter(Boolean).join(' · ')}
          options={RATINGS}
          nameOf={nameOfRating}
          value={Object.hasOwn(ratings, key) ? ratings[key] : undefined}
          onChange={(rating) => change({ ratings: { ...ratings, [key]: rating } })}
        />
      ))}
      <Steps
        label="Recommendation"
        options={RECOMMENDATIONS}
        nameOf={recommendationLabel}
        value={recommendation ?? undefined}
        onChange={(chosen) => change({ recommendation: chosen })}
      />
      <label className="flex flex-col gap-1 text-sm">
        <span className="font-medium">Note</span>
        <textarea
          value={note}
          readOnly={isSaving}
          maxLength={MAX_NOTES_LENGTH}
          rows={3}
          onChange={(event) => change({ note: event.target.value })}
          className="w-full rounded-md border border-control bg-surface px-3 py-2 text-ink"
        />
      </label>
      {isRestored && <RestoredNote onDiscard={discard} />}
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" pending={isSaving} disabled={recommendation === null}>
          {isSubmitted ? 'Save changes' : 'Submit review'}
        </Button>
        <span className="text-sm text-muted">
          {isSubmitted
            ? 'Submitted'
            : recommendation === null
              ? 'Choose a recommendation to submit.'
              : 'Drafts are saved automatically.'}
        </span>
      </div>
    </form>
  );
}
