import type { Criterion, InterviewReviews, Ratings, Review } from '#contracts/reviews.ts';
import type { ReviewRow } from './reviews.repo.ts';

const iso = (moment: Date | null) => moment?.toISOString() ?? null;

export const viewReview = (row: ReviewRow): Review => ({
  author: row.author,
  submittedAt: iso(row.submitted_at),
  afterReading: row.after_reading,
  content: {
    criteria: row.criteria,
    ratings: row.ratings,
    recommendation: row.recommendation,
    note: row.note,
    firstRatings: row.first_ratings,
  },
});

/** Omits the content if the caller may not read it yet. */
export const viewOthers = (rows: readonly ReviewRow[], { isOpen }: { isOpen: boolean }): InterviewReviews['others'] =>
  rows.flatMap((row) => {
    const { submittedAt, ...review } = viewReview(row);
    return submittedAt === null ? [] : [{ ...review, submittedAt, content: isOpen ? review.content : null }];
  });

const MIN_INDEPENDENT = 2;

/**
 * Averages the first ratings of each criterion; null for a criterion without ratings. Returns null
 * for fewer than two independent reviews, whose authors had not read others'.
 */
export function averageOf(rows: readonly ReviewRow[], criteria: readonly Criterion[]): InterviewReviews['average'] {
  const independent = rows.filter((row) => row.submitted_at !== null && !row.after_reading);
  if (independent.length < MIN_INDEPENDENT) return null;
  const first = independent.map((row) => row.first_ratings ?? {});
  const ratings = Object.fromEntries(criteria.map(({ key }) => [key, mean(first.map((one) => ratingOf(one, key)))]));
  return { ratings, count: independent.length };
}

/** Yes and strong yes. */
const MIN_RECOMMENDED = 3;

/** The average over all criteria, and the authors who recommend the candidate. */
export const opinionsOf = (rows: readonly ReviewRow[], criteria: readonly Criterion[]) => ({
  average: mean(Object.values(averageOf(rows, criteria)?.ratings ?? {})),
  recommendedBy: rows
    .filter((row) => row.submitted_at !== null && (row.recommendation ?? 0) >= MIN_RECOMMENDED)
    .map(({ author }) => author),
});

const ratingOf = (ratings: Ratings, key: string): number | null =>
  Object.hasOwn(ratings, key) ? (ratings[key] ?? null) : null;

function mean(values: readonly (number | null)[]): number | null {
  const rated = values.filter((value) => value !== null);
  return rated.length === 0 ? null : rated.reduce((sum, value) => sum + value, 0) / rated.length;
}
