import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { Decisions, ListingFilter, MarksUntil } from './listing-filter.ts';

/** Whether the account has watched an interview; `id` is the column with its id. */
export const isWatchedBy = (accountId: number | null, id: string): RawBuilder<boolean> =>
  sql`EXISTS (SELECT FROM watched AS w WHERE w.account_id = ${accountId}::int AND w.interview_id = ${sql.ref(id)})`;

/** From the account's submitted review of an interview; `id` is the column with its id. */
export const recommendationOf = (accountId: number | null, id: string): RawBuilder<number | null> => sql`(
  SELECT r.recommendation FROM review AS r
  WHERE r.account_id = ${accountId}::int AND r.interview_id = ${sql.ref(id)} AND r.submitted_at IS NOT NULL)`;

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

/** The last moments at which an account set marks; null without one. */
interface LastMarks {
  watchedAt: Date | null;
  submittedAt: Date | null;
  /** When it submitted a review or changed its recommendation. */
  decidedAt: Date | null;
}

/** `until` limits the marks of watched and reviewed interviews. */
export async function findLastMarks(db: Executor, accountId: number, until: Date): Promise<LastMarks | undefined> {
  const { rows } = await sql<LastMarks>`
    SELECT
      (SELECT max(watched_at) FROM watched WHERE account_id = ${accountId} AND watched_at <= ${until}) AS "watchedAt",
      (SELECT max(submitted_at) FROM review WHERE account_id = ${accountId} AND submitted_at <= ${until}) AS "submittedAt",
      (SELECT max(decided_at) FROM review WHERE account_id = ${accountId}) AS "decidedAt"
  `.execute(db);
  return rows[0];
}
