import { sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';

interface ReadQuotaRow {
  readsLeft: number;
  /** 1: the use of half the quota was logged. 2: a denied read was logged. */
  warned: number;
}

/**
 * Refills the quota for the time since the last call, subtracts what was read, and locks the row.
 */
export async function spendReads(
  tx: Executor,
  { accountId, spent, perHour }: { accountId: number; spent: number; perHour: number },
): Promise<ReadQuotaRow> {
  const { rows } = await sql<ReadQuotaRow>`
    INSERT INTO read_quota AS quota (account_id, reads_left, refilled_at)
    VALUES (${accountId}, ${perHour}::float8 - ${spent}::float8, now())
    ON CONFLICT (account_id) DO UPDATE SET
      reads_left = least(
        ${perHour}::float8,
        quota.reads_left + ${perHour}::float8 / 3600 * greatest(0, extract(epoch FROM now() - quota.refilled_at))
      ) - ${spent}::float8,
      refilled_at = greatest(quota.refilled_at, now())
    RETURNING reads_left AS "readsLeft", warned
  `.execute(tx);
  return rows[0] as ReadQuotaRow;
}

export async function updateWarned(tx: Executor, accountId: number, warned: number): Promise<void> {
  await tx.updateTable('read_quota').set({ warned }).where('account_id', '=', accountId).execute();
}
