import type { Review } from '#contracts/reviews.ts';

export type WrittenReview = Pick<Review['content'], 'ratings' | 'recommendation' | 'note'>;

interface UnsavedReview {
  content: WrittenReview;
  /** A draft saves itself. Changes of a submitted review are sent by hand. */
  isDraft: boolean;
}

/** By interview. A quick decision sends them along: a later save of the draft would undo its recommendation. */
const unsaved = new Map<string, UnsavedReview>();

export const keepUnsaved = (interviewId: string, review: UnsavedReview) => void unsaved.set(interviewId, review);

/** Returns what was written since the last save. The caller saves or discards it. */
export function takeUnsaved(interviewId: string): UnsavedReview | undefined {
  const review = unsaved.get(interviewId);
  unsaved.delete(interviewId);
  return review;
}
