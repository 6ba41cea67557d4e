import { type Selectable, sql } from 'kysely';
import type { Criterion, Ratings } from '#contracts/reviews.ts';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type ReviewedInterview = NonNullable<Awaited<ReturnType<typeof findReviewedInterview>>>;

const selectInterview = (db: Executor, id: string) =>
  db.selectFrom('interview').select(['id', 'title', 'funnel_id as funnelId']).where('id', '=', id);

export const findReviewedInterview = (db: Executor, id: string) => selectInterview(db, id).executeTakeFirst();

/** Prevents deletion of the interview until the transaction ends. */
export const lockReviewedInterview = (tx: Executor, id: string) =>
  selectInterview(tx, id).forKeyShare().executeTakeFirst();

/**
 * Serializes the saves of an account, so that their times ascend: lists of its reviews are cached
 * up to the latest time.
 */
export const lockReviewsOfAccount = (tx: Executor, accountId: number) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('reviews', ${accountId}))`.execute(tx);

export type ReviewRow = Omit<Selectable<DB['review']>, 'ratings' | 'first_ratings'> & {
  ratings: Ratings;
  first_ratings: Ratings | null;
  criteria: Criterion[];
};

/** Lists all reviews and drafts of the interviews by time of submission. */
export async function listReviews(db: Executor, interviewIds: readonly string[]): Promise<ReviewRow[]> {
  const { rows } = await sql<ReviewRow>`
    SELECT r.*, s.criteria
    FROM review AS r JOIN interview AS i ON i.id = r.interview_id
    JOIN scorecard AS s ON s.funnel_id = i.funnel_id AND s.version = r.scorecard_version
    WHERE r.interview_id = ANY(${interviewIds}::text[])
    ORDER BY r.submitted_at, r.author
  `.execute(db);
  return rows;
}

export interface ReviewCount {
  interviewId: string;
  funnelId: number;
  /** Submitted reviews of other accounts. */
  others: number;
  /** True if the account may read them. */
  isOpen: boolean;
}

/** Omits interviews without a submitted review. */
export async function countReviews(db: Executor, interviewIds: readonly string[], accountId: number) {
  const { rows } = await sql<ReviewCount>`
    SELECT r.interview_id AS "interviewId", i.funnel_id AS "funnelId",
      count(*) FILTER (WHERE r.account_id IS DISTINCT FROM ${accountId}::int)::int AS others,
      coalesce(bool_or(r.account_id = ${accountId}::int), false) OR EXISTS (
        SELECT FROM review_reading AS read WHERE read.account_id = ${accountId}::int AND read.interview_id = r.interview_id
      ) AS "isOpen"
    FROM review AS r JOIN interview AS i ON i.id = r.interview_id
    WHERE r.interview_id = ANY(${interviewIds}::text[]) AND r.submitted_at IS NOT NULL
    GROUP BY r.interview_id, i.funnel_id
  `.execute(db);
  return rows;
}

/** A review as it is stored, except for its times. */
export interface StoredReview {
  interviewId: string;
  accountId: number;
  author: string;
  scorecardVersion: number;
  ratings: Ratings;
  firstRatings: Ratings | null;
  recommendation: number | null;
  note: string;
  afterReading: boolean;
  isSubmitted: boolean;
}

/** Inserts or replaces the account's review, and keeps the time of its submission. */
export async function upsertReview(tx: Executor, review: StoredReview): Promise<void> {
  const { firstRatings, isSubmitted } = review;
  await sql`
    INSERT INTO review AS r (interview_id, account_id, author, scorecard_version, ratings, first_ratings,
      recommendation, note, after_reading, submitted_at, decided_at)
    SELECT ${review.interviewId}, ${review.accountId}::int, ${review.author}, ${review.scorecardVersion}::int,
      ${JSON.stringify(review.ratings)}::jsonb, ${firstRatings && JSON.stringify(firstRatings)}::jsonb,
      ${review.recommendation}::smallint, ${review.note}, ${review.afterReading}::boolean, moment.at, moment.at
    FROM (
      SELECT CASE WHEN ${isSubmitted}::boolean THEN greatest(clock_timestamp(), max(decided_at) + interval '1 ms') END AS at
      FROM review WHERE account_id = ${review.accountId}::int
    ) AS moment
    ON CONFLICT (account_id, interview_id) DO UPDATE SET
      scorecard_version = excluded.scorecard_version, ratings = excluded.ratings,
      first_ratings = excluded.first_ratings, recommendation = excluded.recommendation, note = excluded.note,
      after_reading = excluded.after_reading, submitted_at = coalesce(r.submitted_at, excluded.submitted_at),
      decided_at = CASE WHEN r.recommendation = excluded.recommendation AND r.submitted_at IS NOT NULL
        THEN r.decided_at ELSE excluded.decided_at END
  `.execute(tx);
}

/** True if the account has read others' reviews of the interview. */
export async function hasReadReviews(db: Executor, accountId: number, interviewId: string): Promise<boolean> {
  const row = await db
    .selectFrom('review_reading')
    .select('interview_id')
    .where('account_id', '=', accountId)
    .where('interview_id', '=', interviewId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Records for each of these interviews that the account has read others' reviews or comments: its
 * later ratings are not first ratings. Returns false if all of it was already recorded.
 */
export async function insertReviewReadings(
  db: Executor,
  accountId: number,
  interviewIds: readonly string[],
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO review_reading (account_id, interview_id)
    SELECT ${accountId}::int, i.id FROM interview AS i
    WHERE i.id = ANY(${interviewIds}::text[]) AND NOT EXISTS (
      SELECT FROM review_reading AS read WHERE read.account_id = ${accountId}::int AND read.interview_id = i.id
    )
    ORDER BY i.id FOR KEY SHARE OF i
    ON CONFLICT DO NOTHING
  `.execute(db);
  return numAffectedRows > 0n;
}

/** Deletes the review. Its trigger marks the day of the interview as changed. */
export const deleteReview = (tx: Executor, accountId: number, interviewId: string) =>
  tx.deleteFrom('review').where('account_id', '=', accountId).where('interview_id', '=', interviewId).execute();
