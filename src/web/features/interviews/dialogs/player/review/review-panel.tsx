import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Criterion, InterviewReviews, Review } from '#contracts/reviews.ts';
import { MAX_NOTES_LENGTH } from '#contracts/rules/limits.ts';
import { RECOMMENDATIONS, recommendationLabel } from '#contracts/rules/recommendations.ts';
import { RestoredNote } from '#web/features/drafts/restored-note.tsx';
import { patchInterview } from '#web/features/interviews/interviews-cache.ts';
import { useDraftKey } from '#web/features/session/session.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useLive } from '#web/lib/live.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { focusRating } from './focus-rating.ts';
import { OthersReviews } from './others-reviews.tsx';
import { Steps } from './rating-steps.tsx';
import { findUnsaved, keepUnsaved, takeUnsaved, type WrittenReview } from './unsaved-reviews.ts';

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
  const kept = Object.entries(mine.content.ratings).filter(([rated]) => criteria.some(({ key }) => key === rated));
  return { mine: { ...mine, content: { ...mine.content, ratings: Object.fromEntries(kept) } }, criteria };
}

const SAVE_DELAY_MS = 800;
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
  const { content, isSubmitted, isSaving, isRestored, change, submit, discard } = useReviewDraft(interviewId, mine);
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

const EMPTY: WrittenReview = { ratings: {}, recommendation: null, note: '' };

/**
 * Saves drafts when typing pauses and on unmount. Changes of a submitted review need a click. What
 * is not saved is there again when the player opens the next time.
 */
function useReviewDraft(interviewId: string, mine: Review | null) {
  const queryClient = useQueryClient();
  const key = useDraftKey(`review ${interviewId}`);
  const [restored] = useState(() => findUnsaved(key)?.content ?? null);
  const [edited, setEdited] = useState(restored);
  const content = edited ?? mine?.content ?? EMPTY;
  const isSubmitted = mine?.submittedAt != null;
  const params = { id: interviewId };
  const { mutate, isPending, variables } = useAction('PUT /api/interviews/:id/review', {
    // A draft that is being saved must not arrive after the submitted review.
    queue: `review ${interviewId}`,
    onStart:
      ({ body }) =>
      () => {
        const { ratings, recommendation, note } = body;
        const content = { ratings: ratings ?? {}, recommendation: recommendation ?? null, note: note ?? '' };
        if (!findUnsaved(key)) keepUnsaved(key, { content, isDraft: !isSubmitted });
      },
    onSuccess: (review, { body }) => {
      if (!body.submit) return;
      setEdited(null);
      patchInterview(queryClient, interviewId, () => ({ myRecommendation: review.content.recommendation }));
      toast({ title: isSubmitted ? 'Review changed' : 'Review submitted' });
      // Submitting also reveals colleagues' comments.
      queryClient.invalidateQueries({ queryKey: ['/api/interviews/:id/comments', { params }] });
      return queryClient.invalidateQueries({ queryKey: ['/api/interviews/:id/reviews', { params }] });
    },
    onError: toastFailure('Failed to save the review'),
  });
  const send = ({ ratings, recommendation, note }: WrittenReview, submit: boolean) =>
    mutate({ params, body: { ratings, recommendation, note, submit } });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flush = () => {
    clearTimeout(timer.current);
    const written = findUnsaved(key);
    if (!written?.isDraft || isSubmitted) return;
    takeUnsaved(key);
    send(written.content, false);
  };
  const flushNow = useEffectEvent(flush);
  useEffect(() => {
    flushNow();
    return () => flushNow();
  }, []);
  return {
    content,
    isSubmitted,
    isSaving: isPending && variables.body.submit,
    /** True while the form shows unsaved changes of a submitted review from an earlier time. */
    isRestored: isSubmitted && edited !== null && edited === restored,
    change: (part: Partial<WrittenReview>) => {
      const next = { ...content, ...part };
      setEdited(next);
      keepUnsaved(key, { content: next, isDraft: !isSubmitted });
      clearTimeout(timer.current);
      if (!isSubmitted) timer.current = setTimeout(flush, SAVE_DELAY_MS);
    },
    submit: () => {
      clearTimeout(timer.current);
      takeUnsaved(key);
      send(content, true);
    },
    discard: () => {
      takeUnsaved(key);
      setEdited(null);
    },
  };
}
