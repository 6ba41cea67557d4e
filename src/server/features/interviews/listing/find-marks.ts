import type { BulkFilter } from '#contracts/bulk.ts';
import type { Database } from '#server/db/database.ts';
import { findLastDecidedAt, findLastSubmittedAt } from '#server/features/interviews/review/reviewed.repo.ts';
import { findLastWatchedAt } from '#server/features/interviews/review/watched.repo.ts';
import type { ListCaller } from './listing-filter.ts';

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
  const end = asOf ? new Date(asOf) : new Date();
  const watchedAt = unwatched ? await findLastWatchedAt(db, accountId, end) : null;
  const submittedAt = unreviewed ? await findLastSubmittedAt(db, accountId, end) : null;
  const decidedAt = decision ? ((await findLastDecidedAt(db, accountId)) ?? NEVER) : null;
  return {
    unwatchedBy: watchedAt && { accountId, until: watchedAt },
    unreviewedBy: submittedAt && { accountId, until: submittedAt },
    decidedBy: decidedAt && decision ? { accountId, until: decidedAt, decision } : null,
  };
}
