import { z } from 'zod';
import type { CallInput } from '#contracts/endpoint.ts';
import type { Review, saveReview } from '#contracts/reviews.ts';
import { DRAFT_PREFIX } from '#web/features/drafts/has-drafts.ts';

export type WrittenReview = Pick<Review['content'], 'ratings' | 'recommendation' | 'note'>;

type SavedReview = CallInput<typeof saveReview>['body'];

const Written: z.ZodType<WrittenReview> = z.object({
  ratings: z.record(z.string(), z.int().nullable()),
  recommendation: z.int().nullable(),
  note: z.string(),
});

/** For comparisons: a review that has not changed has the same text. */
export const textOf = ({ ratings, recommendation, note }: WrittenReview): string =>
  JSON.stringify({ ratings, recommendation, note });

/**
 * Keeps a review in session storage until it is saved, so that it survives a closed player, a
 * reload and an expired session. `key` comes from `useDraftKey`.
 */
export const keepUnsaved = (key: string, review: WrittenReview): void =>
  sessionStorage.setItem(DRAFT_PREFIX + key, textOf(review));

export function findUnsaved(key: string): WrittenReview | undefined {
  try {
    return Written.parse(JSON.parse(sessionStorage.getItem(DRAFT_PREFIX + key) ?? ''));
  } catch {
    return undefined;
  }
}

/** Returns false, and keeps the review, if something other than `saved` was written since. */
export function forgetUnsaved(key: string, saved?: WrittenReview): boolean {
  const kept = sessionStorage.getItem(DRAFT_PREFIX + key);
  if (saved && kept !== null && kept !== textOf(saved)) return false;
  sessionStorage.removeItem(DRAFT_PREFIX + key);
  return true;
}

/** The review in the body of a call. */
export const writtenIn = ({ ratings, recommendation, note }: SavedReview): WrittenReview => ({
  ratings: ratings ?? {},
  recommendation: recommendation ?? null,
  note: note ?? '',
});
