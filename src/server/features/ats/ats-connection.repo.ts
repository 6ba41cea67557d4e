import { sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';

export type AtsName = 'bullhorn' | 'lever';

export interface StoredConnection {
  credentialsHash: Buffer;
  state: 'connected' | 'reconnect';
  signInSealed: Buffer | null;
}

const selectConnection = (db: Executor, ats: AtsName) =>
  db
    .selectFrom('ats_connection')
    .select(['credentials_hash as credentialsHash', 'sign_in_sealed as signInSealed'])
    .select(sql<StoredConnection['state']>`state`.as('state'))
    .where('ats', '=', ats);

export const findConnection = (db: Executor, ats: AtsName) => selectConnection(db, ats).executeTakeFirst();

export const lockConnection = (tx: Executor, ats: AtsName) => selectConnection(tx, ats).forUpdate().executeTakeFirst();

export async function replaceConnection(tx: Executor, ats: AtsName, stored: StoredConnection): Promise<void> {
  const columns = {
    credentials_hash: stored.credentialsHash,
    state: stored.state,
    sign_in_sealed: stored.signInSealed,
    changed_at: sql<Date>`now()`,
  };
  await tx
    .insertInto('ats_connection')
    .values({ ats, ...columns })
    .onConflict((conflict) => conflict.column('ats').doUpdateSet(columns))
    .execute();
}

export const lockSealedSignIns = (tx: Executor) =>
  tx
    .selectFrom('ats_connection')
    .select(['ats', 'sign_in_sealed'])
    .where('sign_in_sealed', 'is not', null)
    .orderBy('ats')
    .forUpdate()
    .execute();

export async function updateSealedSignIn(tx: Executor, ats: string, sealed: Buffer): Promise<void> {
  await tx.updateTable('ats_connection').set({ sign_in_sealed: sealed }).where('ats', '=', ats).execute();
}

/**
 * Each process reserves one call at a time. Ignores a later time, left from before a clock was set
 * back.
 */
const MAX_WAIT_SECONDS = 15;

/** Returns the milliseconds until the reserved time. */
export async function reserveCall(db: Executor, ats: AtsName, intervalMs: number): Promise<number> {
  const interval = sql`make_interval(secs => ${intervalMs / 1_000})`;
  const { rows } = await sql<{ waitMs: number }>`
    INSERT INTO ats_pace AS pace (ats, next_call_at) VALUES (${ats}, clock_timestamp() + ${interval})
    ON CONFLICT (ats) DO UPDATE SET next_call_at = ${interval} + CASE
      WHEN pace.next_call_at BETWEEN clock_timestamp() AND clock_timestamp() + make_interval(secs => ${MAX_WAIT_SECONDS})
      THEN pace.next_call_at ELSE clock_timestamp() END
    RETURNING extract(epoch FROM next_call_at - ${interval} - clock_timestamp())::float8 * 1000 AS "waitMs"
  `.execute(db);
  return Math.max(0, rows[0]?.waitMs ?? 0);
}
