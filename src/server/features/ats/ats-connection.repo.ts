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
