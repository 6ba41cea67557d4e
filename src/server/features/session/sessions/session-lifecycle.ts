import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Logs } from '#server/features/logs/logs.service.ts';
import type { SignedIn } from '#server/http/guards/session-guard.ts';
import { identifyActor } from '#server/request-context.ts';
import type { Caller } from './caller.ts';
import {
  deleteExpiredSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionsOfAccount,
  expireReplacedSession,
  findSession,
  insertSession,
} from './session.repo.ts';
import { announceAccountChange, announceDevices, announceExpiry, announceSessionEnd } from './session-events.ts';
import { endOf, secondsUntil } from './session-lifetime.ts';
import { sessionExpiredEntry, signedOutEntry, signedOutEverywhereEntry } from './session-log.ts';
import { type KeyedHash, newToken, type SessionCookie } from './session-token.ts';

interface NewSessionInput {
  accountId: number;
  remembered: boolean;
  device: string;
  address: string;
  /** Milliseconds since 1970, here and below. */
  now: number;
}

/** Starts a session under a new token, which only the returned cookie contains. */
export async function startSession(tx: Executor, hash: KeyedHash, session: NewSessionInput): Promise<SessionCookie> {
  const { remembered, now } = session;
  const token = newToken();
  const expiresAt = endOf({ remembered, startedAt: now }, now);
  await insertSession(tx, { ...session, hash: hash(token), expiresAt });
  await announceDevices(tx, session.accountId);
  return { token, maxAgeSeconds: remembered ? secondsUntil(expiresAt, now) : null };
}

/** How long a replaced session lasts when the process stops before it has ended it. */
const REPLACED_SESSION_MS = 60_000;

interface ReplaceSessionsInput {
  /** End their session with `endSession` after the new cookie has been sent. */
  caller: Caller;
  now: number;
}

/**
 * Ends every other session of the account and starts a new one for the caller, whose old session
 * ends within a minute.
 * @throws AppError `unauthenticated` when the caller's session has ended
 */
export async function replaceSessions(
  tx: Executor,
  hash: KeyedHash,
  { caller: { signedIn, token, device, address }, now }: ReplaceSessionsInput,
): Promise<{ cookie: SessionCookie; endedCount: number }> {
  const { accountId } = signedIn;
  const session = await findSession(tx, hash(token), now);
  if (!session || session.isReplaced) throw new AppError('unauthenticated', 'Your session has ended. Sign in again.');
  const endedCount = await deleteOtherSessions(tx, accountId, hash(token));
  await expireReplacedSession(tx, hash(token), now + REPLACED_SESSION_MS);
  await announceAccountChange(tx, accountId);
  const { remembered } = session;
  return { cookie: await startSession(tx, hash, { accountId, remembered, device, address, now }), endedCount };
}

/** Ends a session without a log entry: another one replaces it. */
export async function endSession(tx: Executor, hash: string, now: number): Promise<void> {
  const account = await deleteSession(tx, hash, now);
  await announceSessionEnd(tx, hash);
  if (account) await announceDevices(tx, account.accountId);
}

/** Returns the number of ended sessions. */
export async function endSessionsOfAccount(tx: Executor, accountId: number): Promise<number> {
  const count = await deleteSessionsOfAccount(tx, accountId);
  await announceAccountChange(tx, accountId);
  return count;
}

/** Ends a session and logs it. Does nothing when it has already ended. */
export async function signOut(tx: Executor, logs: Logs, { hash, now }: { hash: string; now: number }): Promise<void> {
  const account = await deleteSession(tx, hash, now);
  if (!account) return;
  identifyActor(account);
  await announceSessionEnd(tx, hash);
  await announceDevices(tx, account.accountId);
  await logs.write(tx, signedOutEntry(account.username));
}

/** Ends every session of an account and logs it. Returns the number of ended sessions. */
export async function signOutEverywhere(tx: Executor, logs: Logs, { accountId, username }: SignedIn): Promise<number> {
  const count = await endSessionsOfAccount(tx, accountId);
  await logs.write(tx, signedOutEverywhereEntry(username, count));
  return count;
}

/**
 * Deletes expired sessions, logs each unless it was replaced, and lets every process close their
 * sockets.
 */
export async function endExpiredSessions(db: Database, logs: Logs, now: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const expired = await deleteExpiredSessions(tx, now);
    if (expired.length === 0) return;
    await announceExpiry(tx);
    for (const accountId of new Set(expired.map((session) => session.accountId))) await announceDevices(tx, accountId);
    for (const session of expired) if (!session.isReplaced) await logs.write(tx, sessionExpiredEntry(session));
  });
}
