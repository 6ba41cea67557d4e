import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Decisions, ListingFilter, MarksUntil } from './listing-filter.ts';

type Marks = Pick<ListingFilter, 'unwatchedBy' | 'unreviewedBy' | 'decidedBy'>;

/**
 * Conditions on an interview (alias `l`). Scalar subqueries, so that each row is looked up by its
 * key: a join may compare all pairs.
 */
export const markConditions = ({ unwatchedBy, unreviewedBy, decidedBy }: Marks): RawBuilder<SqlBool>[] => [
  ...(unwatchedBy
    ? [
        sql<SqlBool>`coalesce((
          SELECT w.watched_at > ${unwatchedBy.until} FROM watched AS w
          WHERE w.account_id = ${unwatchedBy.accountId} AND w.interview_id = l.interview_id), true)`,
      ]
    : []),
  ...(unreviewedBy
    ? [
        sql<SqlBool>`coalesce((
          SELECT r.submitted_at > ${unreviewedBy.until} FROM review AS r
          WHERE r.account_id = ${unreviewedBy.accountId} AND r.interview_id = l.interview_id), true)`,
      ]
    : []),
  ...(decidedBy
    ? [
        sql<SqlBool>`coalesce((
          SELECT ${isDecidedBy(decidedBy)} FROM review AS r
          WHERE r.account_id = ${decidedBy.accountId} AND r.interview_id = l.interview_id), false)`,
      ]
    : []),
];

/** Queries of the interviews that `unwatchedBy` and `unreviewedBy` exclude. */
export const hiddenInterviews = ({ unwatchedBy, unreviewedBy }: Marks): RawBuilder<unknown>[] => [
  ...(unwatchedBy ? [watchedBy(unwatchedBy)] : []),
  ...(unreviewedBy ? [reviewedBy(unreviewedBy)] : []),
];

const watchedBy = ({ accountId, until }: MarksUntil) =>
  sql`SELECT interview_id FROM watched WHERE account_id = ${accountId} AND watched_at <= ${until}`;

const reviewedBy = ({ accountId, until }: MarksUntil) =>
  sql`SELECT interview_id FROM review WHERE account_id = ${accountId} AND submitted_at <= ${until}`;

/**
 * A condition on a review (alias `r`). Recommendations are from 1 (strong no) to 4 (strong yes).
 */
export const isDecidedBy = ({ accountId, decision }: Decisions): RawBuilder<SqlBool> => sql<SqlBool>`
  r.account_id = ${accountId} AND r.submitted_at IS NOT NULL AND r.recommendation ${decision === 'yes' ? sql`>` : sql`<=`} 2`;
