import type { BulkFilter } from '#contracts/bulk.ts';
import type { Database } from '#server/db/database.ts';
import type { ListCaller } from './listing-filter.ts';
import { findLastMarks } from './marks.repo.ts';

type Marks = Omit<ListCaller, 'visibleFunnelIds'>;

export const NO_MARKS: Marks = { unwatchedBy: null, unreviewedBy: null, decidedBy: null };

/** Before any mark. */
const NEVER = new Date(0);

/**
 * Finds the account's watched and reviewed marks if the query filters by them. `until` is the time
 * of the last mark, so that equal filters share their cached counts.
 */
export async function findMarks(
  db: Database,
  accountId: number,
  { unwatched, unreviewed, decision, asOf }: BulkFilter,
): Promise<Marks> {
  if (!unwatched && !unreviewed && !decision) return NO_MARKS;
  const last = await findLastMarks(db, accountId, asOf ? new Date(asOf) : new Date());
  return {
    unwatchedBy: unwatched && last?.watchedAt ? { accountId, until: last.watchedAt } : null,
    unreviewedBy: unreviewed && last?.submittedAt ? { accountId, until: last.submittedAt } : null,
    decidedBy: decision ? { accountId, until: last?.decidedAt ?? NEVER, decision } : null,
  };
}
