import type { Database } from '#server/db/database.ts';
import { updateLastSeen } from '#server/features/session/accounts/accounts.repo.ts';
import { viewSignedIn } from '#server/features/session/accounts/signed-in.repo.ts';
import { currentActor } from '#server/request-context.ts';
import type { CachedSession } from './cached-sessions.ts';
import { findSession, updateSessionUse } from './session.repo.ts';
import { endOf, extensionDue, secondsUntil } from './session-lifetime.ts';
import type { KeyedHash } from './session-token.ts';

/** A new last use is stored only when it moves by at least this much. */
const LAST_USE_STEP_MS = 5 * 60_000;
/** A connection can break unnoticed, so the cache is used for at most this long without a query. */
const MAX_CACHE_AGE_MS = 60_000;

interface SessionReaderDeps {
  db: Database;
  hash: KeyedHash;
}

/** Reads a session, and extends it and stores its use when that is due. */
export async function readSession(deps: SessionReaderDeps, token: string, now: number): Promise<CachedSession | null> {
  const { db } = deps;
  const hash = deps.hash(token);
  const session = await findSession(db, hash, now);
  if (!session) return null;

  const signedIn = viewSignedIn(session);
  if (session.isReplaced) return { signedIn, hash, freshUntil: now };
  const times = {
    remembered: session.remembered,
    isSingleSignOn: session.identityId !== null,
    startedAt: session.createdAt.getTime(),
  };
  let expiresAt = session.expiresAt.getTime();
  const isExtended = now >= extensionDue(times, expiresAt);
  const address = currentActor().address ?? session.address;
  const isUseDue = now >= session.lastUsedAt.getTime() + LAST_USE_STEP_MS || address !== session.address;
  if (isExtended) expiresAt = endOf(times, now);
  if (isExtended || isUseDue) {
    const use = { last_used_at: new Date(now), address, ...(isExtended && { expires_at: new Date(expiresAt) }) };
    if (!(await updateSessionUse(db, hash, use))) return null;
  }
  const seenAt = session.lastSeenAt?.getTime() ?? 0;
  if (now >= seenAt + LAST_USE_STEP_MS) await updateLastSeen(db, signedIn.accountId, now);
  return {
    ...{ signedIn, hash },
    freshUntil: Math.min(now + MAX_CACHE_AGE_MS, extensionDue(times, expiresAt), expiresAt),
    ...(isExtended && session.remembered && { cookieMaxAgeSeconds: secondsUntil(expiresAt, now) }),
  };
}
