import type { HandlerInput } from '#contracts/endpoint.ts';
import type { Criterion, InterviewReviews, Ratings, Review, saveReview } from '#contracts/reviews.ts';
import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { interviewNotFound } from '#server/features/interviews/interviews.service.ts';
import type { SignedIn } from '#server/http/guards/session-guard.ts';
import type { ReviewedInterview, ReviewRow } from './reviews.repo.ts';
import * as repo from './reviews.repo.ts';
import { averageOf, opinionsOf, viewOthers, viewReview } from './reviews.view.ts';
import type { ScorecardVersion } from './scorecards.repo.ts';
import type { Scorecards } from './scorecards.service.ts';

interface ReviewsDeps {
  db: Database;
  events: Events;
  scorecards: Pick<Scorecards, 'find' | 'findForReview'>;
}

/** The account of a request. */
export type Reviewer = Pick<SignedIn, 'accountId' | 'username'>;

/** The reviews of an interview in a list. */
export interface ReviewsInShort {
  /** The number of others' submitted reviews. */
  others: number;
  /** The average over all criteria. Null if there is none or the account may not read it. */
  average: number | null;
  /** Usernames. Empty if the account may not read them. */
  recommendedBy: string[];
}

type ReviewInput = HandlerInput<typeof saveReview>['body'];

/**
 * Reviews of interviews. Others' reviews are hidden from every account, whatever its role, until it
 * submits its own review or opens them without one.
 */
export class Reviews {
  readonly #deps: ReviewsDeps;

  constructor(deps: ReviewsDeps) {
    this.#deps = deps;
  }

  async list(interviewId: string, { accountId }: Reviewer): Promise<InterviewReviews> {
    const { db, scorecards } = this.#deps;
    const { funnelId } = expectInterview(await repo.findReviewedInterview(db, interviewId));
    const rows = await repo.listReviews(db, [interviewId]);
    const mine = rows.find((row) => row.account_id === accountId);
    const hasRead = await repo.hasReadReviews(db, accountId, interviewId);
    const isOpen = hasRead || isSubmitted(mine);
    const ofOthers = rows.filter((row) => row !== mine);
    const others = viewOthers(ofOthers, { isOpen });
    if (isOpen && others.length > 0) await repo.insertReviewReadings(db, accountId, [interviewId]);
    return {
      mine: mine ? viewReview(mine) : null,
      others,
      count: others.length,
      average: isOpen ? averageOf(rows, (await scorecards.find(funnelId)).criteria) : null,
    };
  }

  /**
   * Summarizes the reviews of each interview for a list. Averages and others' recommendations are
   * included only if the account may read them, and including them counts as reading.
   */
  async summarizeAll(interviewIds: readonly string[], { accountId }: Reviewer): Promise<Map<string, ReviewsInShort>> {
    const { db, scorecards } = this.#deps;
    const counts = await repo.countReviews(db, interviewIds, accountId);
    const open = counts.filter(({ isOpen }) => isOpen).map(({ interviewId }) => interviewId);
    const rows = open.length === 0 ? [] : await repo.listReviews(db, open);
    const read = counts.filter(({ isOpen, others }) => isOpen && others > 0).map(({ interviewId }) => interviewId);
    if (read.length > 0) await repo.insertReviewReadings(db, accountId, read);
    const byInterview = Map.groupBy(rows, (row) => row.interview_id);
    const criteria = new Map<number, Criterion[]>();
    for (const id of new Set(counts.filter(({ isOpen }) => isOpen).map(({ funnelId }) => funnelId)))
      criteria.set(id, (await scorecards.find(id)).criteria);
    return new Map(
      counts.map(({ interviewId, funnelId, others }) => [
        interviewId,
        { others, ...opinionsOf(byInterview.get(interviewId) ?? [], criteria.get(funnelId) ?? []) },
      ]),
    );
  }

  /** True if the account may read others' reviews and comments of the interview. */
  async isOpen(db: Executor, interviewId: string, accountId: number): Promise<boolean> {
    if (await repo.hasReadReviews(db, accountId, interviewId)) return true;
    return isSubmitted(await findOwn(db, interviewId, accountId));
  }

  /** Saves a draft or submits it. A submitted review stays submitted. */
  save(interviewId: string, { accountId, username }: Reviewer, input: ReviewInput): Promise<Review> {
    const { db, events } = this.#deps;
    return db.transaction().execute(async (tx) => {
      const interview = expectInterview(await repo.lockReviewedInterview(tx, interviewId));
      await repo.lockReviewsOfAccount(tx, accountId);
      const former = await findOwn(tx, interviewId, accountId);
      const hasRead = await repo.hasReadReviews(tx, accountId, interviewId);
      const isFirst = !isSubmitted(former);
      const { version, criteria } = await this.#findScorecard(tx, interview, former);
      const content = contentOf(input, former, criteria);
      const isSubmission = input.submit || !isFirst;
      if (isSubmission && content.recommendation === null)
        throw new AppError('invalid_input', 'recommendation is required.', { field: 'recommendation' });
      await repo.upsertReview(tx, {
        ...{ interviewId, accountId, author: username, isSubmitted: isSubmission, ...content },
        scorecardVersion: version,
        firstRatings: isSubmission ? firstRatingsOf(content.ratings, former, hasRead) : null,
        afterReading: former?.after_reading || (isFirst && isSubmission && hasRead),
      });
      if (isSubmission) await events.record(tx, 'review.submitted', { ...subjectOf(interview), accountId, isFirst });
      return viewReview(await expectOwn(tx, interviewId, accountId));
    });
  }

  /**
   * Undoes the decision and keeps the rest as a draft.
   * @throws AppError `conflict` once the reviewer has read others' reviews
   */
  async withdraw(interviewId: string, { accountId }: Reviewer): Promise<{ message: string }> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const interview = expectInterview(await repo.lockReviewedInterview(tx, interviewId));
      await repo.lockReviewsOfAccount(tx, accountId);
      const former = await findOwn(tx, interviewId, accountId);
      if (!former || !isSubmitted(former)) return;
      if (await repo.hasReadReviews(tx, accountId, interviewId))
        throw new AppError('conflict', "You have read others' reviews. Change your review instead.");
      await repo.deleteReview(tx, accountId, interviewId);
      if (Object.keys(former.ratings).length > 0 || former.note !== '')
        await repo.upsertReview(tx, {
          ...{ interviewId, accountId, author: former.author, isSubmitted: false, recommendation: null },
          ...{ ratings: former.ratings, note: former.note, scorecardVersion: former.scorecard_version },
          ...{ firstRatings: null, afterReading: false },
        });
      await events.record(tx, 'review.withdrawn', { ...subjectOf(interview), accountId });
    });
    return { message: 'Review undone' };
  }

  /** A submitted review with ratings keeps its scorecard. Other reviews use the current one. */
  async #findScorecard(
    tx: Executor,
    { funnelId }: ReviewedInterview,
    former: ReviewRow | undefined,
  ): Promise<ScorecardVersion> {
    const isKept = former && isSubmitted(former) && Object.keys(former.ratings).length > 0;
    if (!isKept) return this.#deps.scorecards.findForReview(tx, funnelId);
    return { version: former.scorecard_version, criteria: former.criteria };
  }

  /** Opens others' reviews for an account that has not submitted its own. */
  async open(interviewId: string, { accountId }: Reviewer): Promise<{ message: string }> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const interview = expectInterview(await repo.lockReviewedInterview(tx, interviewId));
      await repo.lockReviewsOfAccount(tx, accountId);
      if (isSubmitted(await findOwn(tx, interviewId, accountId))) return;
      if (await repo.insertReviewReadings(tx, accountId, [interviewId]))
        await events.record(tx, 'reviews.opened', { ...subjectOf(interview), accountId });
    });
    return { message: 'Reviews opened' };
  }
}

export function expectInterview(interview: ReviewedInterview | undefined): ReviewedInterview {
  if (!interview) throw interviewNotFound();
  return interview;
}

/** The fields that describe an interview in events. */
export const subjectOf = ({ id, title, funnelId }: ReviewedInterview) => ({ interviewId: id, title, funnelId });

const isSubmitted = (review: ReviewRow | undefined): boolean => review?.submitted_at != null;

const findOwn = async (db: Executor, interviewId: string, accountId: number): Promise<ReviewRow | undefined> =>
  (await repo.listReviews(db, [interviewId])).find((row) => row.account_id === accountId);

async function expectOwn(tx: Executor, interviewId: string, accountId: number): Promise<ReviewRow> {
  const review = await findOwn(tx, interviewId, accountId);
  if (!review) throw new Error('The saved review is missing.');
  return review;
}

/**
 * Keeps fields that the input omits, except ratings of a draft whose criterion was removed.
 * @throws AppError `invalid_input` when the scorecard lacks the criterion of a rating
 */
function contentOf(
  { ratings, recommendation, note }: ReviewInput,
  former: ReviewRow | undefined,
  criteria: readonly Criterion[],
) {
  const keys = new Set(criteria.map(({ key }) => key));
  if (ratings) expectCriteria(ratings, keys);
  const kept = Object.entries(former?.ratings ?? {}).filter(([key]) => keys.has(key));
  return {
    ratings: ratings ?? Object.fromEntries(kept),
    recommendation: recommendation === undefined ? (former?.recommendation ?? null) : recommendation,
    note: note === undefined ? (former?.note ?? '') : (note ?? ''),
  };
}

function expectCriteria(ratings: Ratings, keys: ReadonlySet<string>): void {
  const unknown = Object.keys(ratings).find((key) => !keys.has(key));
  if (unknown === undefined) return;
  const message = `ratings contains "${unknown}", which is not a criterion of the scorecard: ${[...keys].join(', ')}.`;
  throw new AppError('invalid_input', message, { field: 'ratings' });
}

/**
 * Changing a review keeps the first rating of each criterion. Ratings added after a quick decision
 * are first ratings unless their author has read others' reviews in between.
 */
function firstRatingsOf(ratings: Ratings, former: ReviewRow | undefined, hasRead: boolean): Ratings {
  const first = former?.first_ratings;
  if (!first) return ratings;
  return hasRead ? first : { ...ratings, ...first };
}
