import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { isReadyToSend } from '#contracts/rules/badges.ts';
import { type Recommendation, recommendationLabel } from '#contracts/rules/recommendations.ts';
import { useArchive, useUnarchive } from '#web/features/interviews/interview-actions.ts';
import type { InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { afterResponses } from '#web/lib/after-responses.ts';
import { useMay } from '#web/lib/may.ts';
import { runToastAction, toast } from '#web/lib/toast.ts';
import { useQuickDecision } from './use-quick-decision.ts';
import { ARCHIVE, useReviewQueue } from './use-review-queue.ts';
import { useWatchedMarks } from './use-watched-marks.ts';

interface Decision {
  interview: Interview;
  /** Its index in the list. */
  offset: number;
  isArchived: boolean;
  /** Null without a review. */
  recommendation: Recommendation | null;
  /** False for an interview that was watched before. */
  hasMarked: boolean;
}

/** The results of a review. */
export interface ReviewCounts {
  /** The number of the question in a review of its answers, and how many of them were played. */
  answers: { number: number; played: number } | null;
  /** Including the archived ones. */
  reviewed: number;
  archived: number;
  toSend: number;
  /** The reviews with a recommendation, in the order in which they were made. */
  decided: readonly Decided[];
}

export interface Decided {
  interview: Interview;
  recommendation: Recommendation;
}

/**
 * Done, Archive and quick decisions in the player. All of them mark as watched, continue, and can
 * be undone. In a review of the answers to one question, `answer`, Done only continues.
 */
export function useReview(
  interview: Interview,
  filters: InterviewFilters,
  { answer, isScorecardOpen }: { answer: number | null; isScorecardOpen: boolean },
) {
  const queue = useReviewQueue(interview, filters);
  const canArchive = useMay()('POST /api/interviews/:id/archive') && !interview.archived;
  const marks = useWatchedMarks();
  const { decisions, counts, countDecisions, record, forget } = useDecisions(marks, answer);
  const archive = useArchive(forget);
  const unarchive = useUndoArchive();
  const undo = (id: string) => {
    const decision = forget(id);
    if (decision?.isArchived) unarchive(decision.interview);
    else if (decision) {
      queue.showAgain(id, decision.offset);
      toast({ title: 'Undone', description: `"${decision.interview.title}" is back in the review.` });
    }
  };
  const confirm = (recommendation: Recommendation | null) => {
    if (recommendation || answer === null) toastReviewed(interview, recommendation, () => undo(interview.id));
  };
  const decide = async ({ isArchived = false, recommendation = null }: Partial<Decision>) => {
    if (queue.isReading() || counts) return;
    const next = await queue.readNext();
    if (next === null) return;
    record({ interview, offset: queue.offset ?? 0, isArchived, recommendation }, isScorecardOpen);
    if (isArchived) archive(interview);
    else confirm(recommendation);
    if (!queue.isOpen()) return;
    if (next) queue.continueTo(next, isArchived);
    else countDecisions();
  };
  return {
    queue,
    marks,
    /** Null until the last interview in the list has a decision. */
    counts,
    canArchive,
    /** True in a review of the answers to one question. */
    isByAnswer: answer !== null,
    finish: () => decide({}),
    /** Submits a recommendation only. */
    recommend: (recommendation: Recommendation) => decide({ recommendation }),
    archive: () => canArchive && decide({ isArchived: true }),
    undo: () => {
      const last = [...decisions.keys()].at(-1);
      if (last === undefined) runToastAction();
      else undo(last);
    },
  };
}

function useDecisions({ markReviewed, undoMark }: ReturnType<typeof useWatchedMarks>, answer: number | null) {
  const quick = useQuickDecision();
  /** Keyed by interview, with the latest decision last. */
  const [decisions] = useState(() => new Map<string, Decision>());
  const [counts, setCounts] = useState<ReviewCounts | null>(null);
  const record = (decision: Omit<Decision, 'hasMarked'>, isScorecardOpen: boolean) => {
    const { interview, recommendation } = decision;
    const isReviewed = answer === null || decision.isArchived || recommendation !== null;
    const hadMarked = decisions.get(interview.id)?.hasMarked ?? false;
    decisions.delete(interview.id);
    decisions.set(interview.id, { ...decision, hasMarked: (isReviewed && markReviewed(interview)) || hadMarked });
    if (recommendation) quick.save(interview, recommendation, isScorecardOpen);
  };
  const forget = (id: string): Decision | undefined => {
    const decision = decisions.get(id);
    decisions.delete(id);
    setCounts(null);
    if (decision?.hasMarked) undoMark(decision.interview);
    if (decision?.recommendation) quick.undo(decision.interview);
    return decision;
  };
  return { decisions, counts, record, forget, countDecisions: () => setCounts(countsOf(decisions, answer)) };
}

function toastReviewed({ title }: Interview, recommendation: Recommendation | null, onUndo: () => void): void {
  const action = { label: 'Undo', onClick: onUndo };
  toast({
    title: recommendation ? `Reviewed: ${recommendationLabel(recommendation)}` : 'Reviewed',
    description: `"${title}" is marked as watched.`,
    action,
  });
}

export type Review = ReturnType<typeof useReview>;

/** Waits for the response to the archiving, so that the undo cannot overtake it. */
function useUndoArchive() {
  const queryClient = useQueryClient();
  const unarchive = useUnarchive();
  return (interview: Interview) =>
    afterResponses(queryClient, { routes: ARCHIVE, id: interview.id }, () => unarchive(interview));
}

function countsOf(decisions: ReadonlyMap<string, Decision>, answer: number | null): ReviewCounts {
  const played = [...decisions.values()];
  const all = answer === null ? played : played.filter((one) => one.isArchived || one.recommendation !== null);
  return {
    answers: answer === null ? null : { number: answer, played: played.length },
    reviewed: all.length,
    archived: all.filter(({ isArchived }) => isArchived).length,
    decided: all.flatMap(({ interview, recommendation }) => (recommendation ? [{ interview, recommendation }] : [])),
    toSend: all.filter(({ interview, isArchived }) => !isArchived && isReadyToSend(interview)).length,
  };
}
