import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { SignedIn } from '#server/http/guards/session-guard.ts';
import { identifyActor } from '#server/request-context.ts';
import type { Caller } from './caller.ts';
import type { SignOn } from './session.repo.ts';
import * as repo from './session.repo.ts';
import { endOf, secondsUntil } from './session-lifetime.ts';
import { hashBytes, type KeyedHash, newToken, type SessionCookie } from './session-token.ts';

interface NewSessionInput {
  accountId: number;
  remembered: boolean;
  device: string;
  address: string;
  /** Milliseconds since 1970, here and below. */
  now: number;
  /** Absent: the session was started with a password. */
  signOn?: SignOn | null;
  /** The session ends at this time at the latest. */
  endsBy?: number | undefined;
}

interface LifecycleDeps {
  events: Events;
  hash: KeyedHash;
}

/** Starts a session under a new token, which only the returned cookie contains. */
export async function startSession(
  tx: Executor,
  { events, hash }: LifecycleDeps,
  session: NewSessionInput,
): Promise<SessionCookie> {
  const { accountId, remembered, device, address, now, signOn = null, endsBy = Number.POSITIVE_INFINITY } = session;
  const token = newToken();
  const times = { remembered, isSingleSignOn: signOn !== null, startedAt: now };
  const expiresAt = Math.min(endOf(times, now), endsBy);
  await repo.insertSession(tx, {
    token_hash: hashBytes(hash(token)),
    account_id: accountId,
    remembered,
    created_at: new Date(now),
    last_used_at: new Date(now),
    expires_at: new Date(expiresAt),
    device,
    address,
    identity_id: signOn?.identityId ?? null,
    provider_session: signOn?.providerSession ?? null,
  });
  await events.record(tx, 'session.started', { accountId });
  return { token, maxAgeSeconds: remembered ? secondsUntil(expiresAt, now) : null };
}

/** How long a replaced session lasts when the process stops before it has ended it. */
const REPLACED_SESSION_MS = 60_000;

/**
 * Ends every other session of the account and starts a new one for the caller, whose old session
 * ends within a minute: end it with `endSession` after the new cookie has been sent. After single
 * sign-on, the new session ends when the old one would have.
 * @throws AppError `unauthenticated` when the caller's session has ended
 */
export async function replaceSessions(
  tx: Executor,
  deps: LifecycleDeps,
  { caller: { signedIn, token, device, address }, now }: { caller: Caller; now: number },
): Promise<{ cookie: SessionCookie; endedCount: number }> {
  const { accountId } = signedIn;
  const { events, hash } = deps;
  const session = await repo.findSession(tx, hash(token), now);
  if (!session || session.isReplaced) throw new AppError('unauthenticated', 'Your session has ended. Sign in again.');
  const endedCount = await repo.deleteSessionsOfAccount(tx, accountId, hash(token));
  await repo.expireReplacedSession(tx, hash(token), now + REPLACED_SESSION_MS);
  await events.record(tx, 'sessions.ended', { accountId, signedOut: null });
  const { remembered, identityId, providerSession } = session;
  const signOn = identityId === null ? null : { identityId, providerSession };
  const endsBy = signOn ? session.expiresAt.getTime() : undefined;
  const cookie = await startSession(tx, deps, { accountId, remembered, device, address, now, signOn, endsBy });
  return { cookie, endedCount };
}

interface EndInput {
  hash: string;
  now: number;
}

/** Ends a session that another one replaces. */
export async function endSession(tx: Executor, events: Events, { hash, now }: EndInput): Promise<void> {
  const account = await repo.deleteSession(tx, hash, now);
  await events.record(tx, 'session.ended', {
    sessionId: hash,
    account: account ? { id: account.accountId, username: account.username } : null,
    cause: { kind: 'replaced' },
  });
}

/** Returns the number of ended sessions. */
export async function endSessionsOfAccount(tx: Executor, events: Events, accountId: number): Promise<number> {
  const count = await repo.deleteSessionsOfAccount(tx, accountId);
  await events.record(tx, 'sessions.ended', { accountId, signedOut: null });
  return count;
}

/** Does nothing when the session has already ended. */
export async function signOut(tx: Executor, events: Events, { hash, now }: EndInput): Promise<void> {
  const account = await repo.deleteSession(tx, hash, now);
  if (!account) return;
  identifyActor(account);
  await events.record(tx, 'session.ended', {
    sessionId: hash,
    account: { id: account.accountId, username: account.username },
    cause: { kind: 'sign-out' },
  });
}

/** Ends every session of an account. Returns the number of ended sessions. */
export async function signOutEverywhere(
  tx: Executor,
  events: Events,
  { accountId, username }: Pick<SignedIn, 'accountId' | 'username'>,
): Promise<number> {
  const count = await repo.deleteSessionsOfAccount(tx, accountId);
  await events.record(tx, 'sessions.ended', { accountId, signedOut: { username, count } });
  return count;
}

/** Deletes expired sessions, and lets every process close their sockets. */
export async function endExpiredSessions(db: Database, events: Events, now: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const expired = await repo.deleteExpiredSessions(tx, now);
    if (expired.length === 0) return;
    const sessions = expired.map((session) => ({ ...session, createdAt: session.createdAt.toISOString() }));
    await events.record(tx, 'sessions.expired', { sessions });
  });
}
