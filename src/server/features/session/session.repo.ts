import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

/** The hexadecimal hash of a token, as the table stores it. */
const bytes = (hash: string) => Buffer.from(hash, 'hex');

export interface NewSession {
  hash: string;
  accountId: number;
  remembered: boolean;
  now: number;
  expiresAt: number;
}

export async function insertSession(tx: Executor, session: NewSession): Promise<void> {
  await tx
    .insertInto('session')
    .values({
      token_hash: bytes(session.hash),
      account_id: session.accountId,
      remembered: session.remembered,
      created_at: new Date(session.now),
      expires_at: new Date(session.expiresAt),
    })
    .execute();
}

/** The session with its account, unless it has ended. */
export const findSession = (db: Executor, hash: string, now: number) =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select(['account.id as accountId', 'account.username', 'session.remembered'])
    .select(['session.created_at as createdAt', 'session.expires_at as expiresAt'])
    .where('session.token_hash', '=', bytes(hash))
    .where('session.expires_at', '>', new Date(now))
    .executeTakeFirst();

/** Which of these sessions have not ended. */
export async function findStandingSessions(db: Executor, hashes: readonly string[], now: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('session')
    .select('token_hash')
    .where('token_hash', '=', sql<Buffer>`ANY(${hashes.map(bytes)}::bytea[])`)
    .where('expires_at', '>', new Date(now))
    .execute();
  return new Set(rows.map((row) => row.token_hash.toString('hex')));
}

/** False when the session has ended meanwhile. */
export async function moveSessionEnd(db: Executor, hash: string, expiresAt: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ expires_at: new Date(expiresAt) })
    .where('token_hash', '=', bytes(hash))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whose session it was; undefined when there was none, or it had run out. */
export async function deleteSession(tx: Executor, hash: string, now: number): Promise<string | undefined> {
  const ended = await tx
    .deleteFrom('session')
    .using('account')
    .whereRef('account.id', '=', 'session.account_id')
    .where('token_hash', '=', bytes(hash))
    .returning(['account.username', 'session.expires_at'])
    .executeTakeFirst();
  return ended && ended.expires_at.getTime() > now ? ended.username : undefined;
}

/** How many there were. */
export async function deleteSessionsOfAccount(tx: Executor, accountId: number): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('session').where('account_id', '=', accountId).executeTakeFirst();
  return Number(numDeletedRows);
}

/** All but one. How many there were. */
export async function deleteOtherSessions(tx: Executor, accountId: number, hash: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .where('token_hash', '!=', bytes(hash))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Whose sessions have run out. */
export const deleteEndedSessions = (tx: Executor, now: number) =>
  tx
    .deleteFrom('session')
    .using('account')
    .whereRef('account.id', '=', 'session.account_id')
    .where('expires_at', '<=', new Date(now))
    .returning(['account.username', 'session.remembered', 'session.created_at as createdAt'])
    .execute();
