import type { Review } from '#contracts/reviews.ts';
import { createStore } from '#web/lib/store.ts';

export type WrittenReview = Pick<Review['content'], 'ratings' | 'recommendation' | 'note'>;

interface UnsavedReview {
  content: WrittenReview;
  /** Drafts are saved automatically. Changes of a submitted review need a click. */
  isDraft: boolean;
}

/**
 * By key of `useDraftKey` for the interview. They outlast a closed player. A quick decision
 * includes them, because saving the draft later would undo it.
 */
const unsaved = createStore<ReadonlyMap<string, UnsavedReview>>(new Map());

export const keepUnsaved = (key: string, review: UnsavedReview) =>
  unsaved.set(new Map([...unsaved.get(), [key, review]]));

export const findUnsaved = (key: string): UnsavedReview | undefined => unsaved.get().get(key);

/** Returns the changes since the last save. The caller saves or discards them. */
export function takeUnsaved(key: string): UnsavedReview | undefined {
  const reviews = new Map(unsaved.get());
  const review = reviews.get(key);
  reviews.delete(key);
  unsaved.set(reviews);
  return review;
}
