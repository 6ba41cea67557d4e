import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { spendReads, updateWarned } from './read-quota.repo.ts';

interface ReadQuotaDeps {
  db: Database;
  events: Events;
  perHour: number;
}

interface Spending {
  /** Reads since the last call. */
  spent: number;
  /** The account has tried to read more than is left. */
  isRefused: boolean;
}

/**
 * Subtracts an account's reads in one process from its shared quota, and returns the rest.
 * Logs once that half is used and once that a read was denied, until most is available again.
 */
export const settleReads =
  ({ db, events, perHour }: ReadQuotaDeps) =>
  (accountId: number, { spent, isRefused }: Spending): Promise<number> =>
    db.transaction().execute(async (tx) => {
      const { readsLeft, warned } = await spendReads(tx, { accountId, spent, perHour });
      const level = levelOf(readsLeft / perHour, { warned, isRefused });
      if (level !== warned) await updateWarned(tx, accountId, level);
      if (level > warned) await events.record(tx, 'read-quota.used', { perHour, isExceeded: level === 2 });
      return readsLeft;
    });

/**
 * A warning is repeated only after a good part was refilled, not at every read around the limit.
 */
function levelOf(share: number, { warned, isRefused }: { warned: number; isRefused: boolean }): number {
  if (isRefused) return 2;
  if (share < 0.5) return Math.max(1, warned);
  return share < 0.75 ? Math.min(1, warned) : 0;
}
