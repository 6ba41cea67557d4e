import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Criterion, Review } from '#contracts/reviews.ts';
import { patchInterview } from '#web/features/interviews/interviews-cache.ts';
import { useDraftKey } from '#web/features/session/session.ts';
import { useIsPending } from '#web/lib/after-responses.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { showMyReview } from './show-my-review.ts';
import { findUnsaved, forgetUnsaved, keepUnsaved, textOf, type WrittenReview, writtenIn } from './unsaved-reviews.ts';

const EMPTY: WrittenReview = { ratings: {}, recommendation: null, note: '' };
const SAVE_DELAY_MS = 800;

/** The ratings by these criteria only. */
export const ratingsOf = (ratings: WrittenReview['ratings'], criteria: readonly Criterion[]) =>
  Object.fromEntries(Object.entries(ratings).filter(([rated]) => criteria.some(({ key }) => key === rated)));

/**
 * Saves drafts when typing pauses and on unmount. Changes of a submitted review need a click.
 * Unsaved changes are there again when the player opens the next time.
 */
export function useReviewDraft(interviewId: string, mine: Review | null, criteria: readonly Criterion[]) {
  const key = useDraftKey(`review ${interviewId}`);
  const { edited, isRestored, edit, clear } = useEditedReview(key, criteria);
  const { ratings, recommendation, note } = edited ?? mine?.content ?? EMPTY;
  const content = { ratings, recommendation, note };
  const isSubmitted = mine?.submittedAt != null;
  const isPending = useIsPending('PUT /api/interviews/:id/review', interviewId);
  const { save, sent, isSaving } = useSaveReview(interviewId, { key, isSubmitted, onLatestSubmitted: clear });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flush = () => {
    clearTimeout(timer.current);
    const written = findUnsaved(key);
    if (written && !isSubmitted && textOf(written) !== sent.current) save(written, false);
  };
  const begin = useEffectEvent(() => {
    // `edited` has no ratings of removed criteria.
    if (edited) keepUnsaved(key, edited);
    // A closed player may still be saving it.
    if (!isPending) flush();
  });
  const end = useEffectEvent(flush);
  useEffect(() => {
    begin();
    return () => end();
  }, []);
  return {
    content,
    isSubmitted,
    isSaving,
    /** True while the form contains changes of a submitted review from an earlier time. */
    isRestored: isSubmitted && isRestored,
    change: (part: Partial<WrittenReview>) => {
      // A later change would be published without a click.
      if (isSaving) return;
      edit({ ...content, ...part });
      clearTimeout(timer.current);
      if (!isSubmitted) timer.current = setTimeout(flush, SAVE_DELAY_MS);
    },
    submit: () => {
      clearTimeout(timer.current);
      save(content, true);
    },
    discard: () => {
      forgetUnsaved(key);
      clear();
    },
  };
}

/** The changes since the last save, also those in a player that was closed. */
function useEditedReview(key: string, criteria: readonly Criterion[]) {
  const [edited, setEdited] = useState<WrittenReview | null>(() => {
    const kept = findUnsaved(key);
    return kept ? { ...kept, ratings: ratingsOf(kept.ratings, criteria) } : null;
  });
  const [isRestored, setRestored] = useState(edited !== null);
  return {
    edited,
    isRestored,
    edit: (next: WrittenReview) => {
      setEdited(next);
      keepUnsaved(key, next);
    },
    clear: () => {
      setEdited(null);
      setRestored(false);
    },
  };
}

interface SavingOptions {
  /** The key under which the review is kept until it is saved. */
  key: string;
  isSubmitted: boolean;
  /** Called when a review was submitted and nothing was written since. */
  onLatestSubmitted: () => void;
}

function useSaveReview(interviewId: string, { key, isSubmitted, onLatestSubmitted }: SavingOptions) {
  const queryClient = useQueryClient();
  const params = { id: interviewId };
  /** The text of the last review that was sent, unless it failed to be saved. */
  const sent = useRef<string | null>(null);
  const { mutate, isPending, variables } = useAction('PUT /api/interviews/:id/review', {
    // A draft that is being saved must not arrive after the submitted review.
    queue: `review ${interviewId}`,
    keepalive: true,
    onSuccess: (review, { body }) => {
      const isLatest = sent.current === textOf(writtenIn(body)) && forgetUnsaved(key, writtenIn(body));
      showMyReview(queryClient, interviewId, () => review);
      if (!body.submit) return;
      if (isLatest) onLatestSubmitted();
      patchInterview(queryClient, interviewId, () => ({ myRecommendation: review.content.recommendation }));
      toast({ title: isSubmitted ? 'Review changed' : 'Review submitted' });
      // Submitting also reveals colleagues' comments.
      queryClient.invalidateQueries({ queryKey: ['/api/interviews/:id/comments', { params }] });
      return queryClient.invalidateQueries({ queryKey: ['/api/interviews/:id/reviews', { params }] });
    },
    onError: (error, { body }) => {
      if (sent.current === textOf(writtenIn(body))) sent.current = null;
      toastFailure('Failed to save the review')(error);
    },
  });
  return {
    sent,
    isSaving: isPending && variables.body.submit,
    save: (written: WrittenReview, submit: boolean) => {
      sent.current = textOf(written);
      mutate({ params, body: { ...written, submit } });
    },
  };
}
