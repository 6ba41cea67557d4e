import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { InterviewPath, integerFrom, MessageResponse, Moment, RowPath } from './fields.ts';
import { MAX_NOTES_LENGTH, SCORECARD_LIMITS } from './rules/limits.ts';

/** Not in the specification, like everything in this file. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `must be at most ${max} characters`)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')
    .overwrite((text) => text.toWellFormed());

const CriterionKey = line(SCORECARD_LIMITS.key).min(1, 'is required');

/** A criterion is rated from 1 to 5. `low`, `middle` and `high` describe 1, 3 and 5. */
export const Criterion = z.object({
  /** Keeps its value when the texts change. */
  key: CriterionKey,
  label: line(SCORECARD_LIMITS.label).min(1, 'is required'),
  low: line(SCORECARD_LIMITS.anchor),
  middle: line(SCORECARD_LIMITS.anchor),
  high: line(SCORECARD_LIMITS.anchor),
});
export type Criterion = z.infer<typeof Criterion>;

const isUnique = (values: readonly string[]) => new Set(values).size === values.length;

export const Scorecard = z.object({
  criteria: z
    .array(Criterion)
    .min(1, 'must have at least one criterion')
    .max(SCORECARD_LIMITS.criteria, `must have at most ${SCORECARD_LIMITS.criteria} criteria`)
    .refine((criteria) => isUnique(criteria.map(({ key }) => key)), { error: 'must not repeat a key' }),
});
export type Scorecard = z.infer<typeof Scorecard>;

export const getScorecard = endpoint({
  method: 'GET',
  path: '/api/funnels/:id/scorecard',
  summary: "The criteria for reviews of a funnel's interviews; its expectations by default",
  role: 'reviewer',
  scope: 'read',
  params: RowPath,
  response: Scorecard,
});

export const saveScorecard = endpoint({
  method: 'PUT',
  path: '/api/funnels/:id/scorecard',
  summary: 'Replaces the criteria of a funnel; existing reviews keep theirs',
  role: 'recruiter',
  scope: 'write',
  params: RowPath,
  body: Scorecard,
  response: Scorecard,
});

const recommendation = 'must be a whole number from 1 to 4';
const Recommendation = integerFrom(1, 4, recommendation);
const rating = 'must be a whole number from 1 to 5, or null';

/**
 * Null: the interview does not show the criterion. A criterion without an entry is not rated yet.
 */
const Ratings = z
  .record(CriterionKey, integerFrom(1, 5, rating).nullable(), { error: 'must be an object of keys and ratings' })
  .refine((ratings) => Object.keys(ratings).length <= SCORECARD_LIMITS.criteria, {
    error: `must have at most ${SCORECARD_LIMITS.criteria} entries`,
  });
export type Ratings = z.infer<typeof Ratings>;

const ReviewContent = z.object({
  /** The scorecard of the review. */
  criteria: z.array(Criterion),
  ratings: z.record(z.string(), z.int().nullable()),
  /** Null in a draft. */
  recommendation: z.int().nullable(),
  note: z.string(),
  /**
   * The ratings from before the reviewer could read others' reviews. Averages use them. Null in a
   * draft.
   */
  firstRatings: z.record(z.string(), z.int().nullable()).nullable(),
});

const Review = z.object({
  /** The reviewer's username. Kept after their account is deleted. */
  author: z.string(),
  /** Null for a draft. */
  submittedAt: Moment.nullable(),
  /** True if the reviewer had read others' reviews. Averages exclude the review. */
  afterReading: z.boolean(),
  content: ReviewContent,
});
export type Review = z.infer<typeof Review>;

export const InterviewReviews = z.object({
  /** The caller's review or draft. */
  mine: Review.nullable(),
  /** Submitted reviews, oldest first. `content` is null until the caller may read them. */
  others: z.array(Review.extend({ submittedAt: Moment, content: ReviewContent.nullable() })),
  /** The number of others' submitted reviews. */
  count: z.int(),
  /**
   * Averages the first ratings of independent reviews. Null for fewer than two of them, and while
   * the caller may not read others' reviews.
   */
  average: z.object({ ratings: z.record(z.string(), z.number().nullable()), count: z.int() }).nullable(),
});
export type InterviewReviews = z.infer<typeof InterviewReviews>;

export const listReviews = endpoint({
  method: 'GET',
  path: '/api/interviews/:id/reviews',
  summary: "The caller's review of an interview and, once it is submitted, others' reviews",
  role: 'reviewer',
  scope: 'read',
  params: InterviewPath,
  response: InterviewReviews,
});

export const saveReview = endpoint({
  method: 'PUT',
  path: '/api/interviews/:id/review',
  summary: "Saves the caller's review of an interview, as a draft or submitted",
  role: 'reviewer',
  scope: 'write',
  params: InterviewPath,
  /** Omitted fields keep their stored value, so that a quick decision keeps the rest of a draft. */
  body: z.object({
    ratings: Ratings.optional(),
    /** Required to submit. */
    recommendation: Recommendation.nullish(),
    note: z
      .string()
      .max(MAX_NOTES_LENGTH, `must be at most ${MAX_NOTES_LENGTH.toLocaleString('en-US')} characters`)
      .nullish(),
    /** False saves a draft. A submitted review stays submitted. */
    submit: z.boolean(),
  }),
  response: Review,
});

export const withdrawReview = endpoint({
  method: 'DELETE',
  path: '/api/interviews/:id/review',
  summary: "Undoes the decision in the caller's review, unless they have read others' reviews",
  role: 'reviewer',
  scope: 'write',
  params: InterviewPath,
  response: MessageResponse,
});

export const readReviews = endpoint({
  method: 'POST',
  path: '/api/interviews/:id/reviews/read',
  summary: "Opens others' reviews and comments before submitting a review; averages then exclude a later review",
  role: 'reviewer',
  scope: 'write',
  params: InterviewPath,
  response: MessageResponse,
});
