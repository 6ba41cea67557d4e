import type { Review } from '#contracts/reviews.ts';

export type WrittenReview = Pick<Review['content'], 'ratings' | 'recommendation' | 'note'>;

interface UnsavedReview {
  content: WrittenReview;
  /** Drafts are saved automatically. Changes of a submitted review need a click. */
  isDraft: boolean;
}

/**
 * Key: interview id. A quick decision includes them, because saving the draft later would undo it.
 */
const unsaved = new Map<string, UnsavedReview>();

export const keepUnsaved = (interviewId: string, review: UnsavedReview) => void unsaved.set(interviewId, review);

/** Returns the changes since the last save. The caller saves or discards them. */
export function takeUnsaved(interviewId: string): UnsavedReview | undefined {
  const review = unsaved.get(interviewId);
  unsaved.delete(interviewId);
  return review;
}
