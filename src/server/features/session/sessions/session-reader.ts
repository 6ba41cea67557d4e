import type { Database } from '#server/db/database.ts';
import { updateLastSeen } from '#server/features/session/accounts/accounts.repo.ts';
import { viewSignedIn } from '#server/features/session/accounts/signed-in.repo.ts';
import type { FoundSession, SessionReader } from '#server/http/guards/session-guard.ts';
import type { LiveBus } from '#server/live/bus.ts';
import { currentActor } from '#server/request-context.ts';
import { findSession, updateSessionUse } from './session.repo.ts';
import type { SessionCache } from './session-cache.ts';
import { endOf, extensionDue, secondsUntil } from './session-lifetime.ts';
import type { KeyedHash } from './session-token.ts';

/** A new last use is stored only when it moves by at least this much. */
const LAST_USE_STEP_MS = 5 * 60_000;
/** A connection can break unnoticed, so the cache is used for at most this long without a query. */
const MAX_CACHE_AGE_MS = 60_000;

interface SessionReaderDeps {
  db: Database;
  bus: LiveBus;
  cache: SessionCache;
  hash: KeyedHash;
  clock: () => number;
}

/** Finds sessions in the cache, or in the database while no announcements can be received. */
export class CachedSessionReader implements SessionReader {
  readonly #deps: SessionReaderDeps;

  constructor(deps: SessionReaderDeps) {
    this.#deps = deps;
  }

  findSession(token: string | null): FoundSession | null | Promise<FoundSession | null> {
    if (token === null) return null;
    const { bus, cache, clock } = this.#deps;
    const cached = bus.connected ? cache.get(token, clock()) : undefined;
    return cached ?? this.#readSession(token);
  }

  async #readSession(token: string): Promise<FoundSession | null> {
    const { bus, cache, clock, db } = this.#deps;
    const hash = this.#deps.hash(token);
    const { generation } = cache;
    const now = clock();
    const session = await findSession(db, hash, now);
    if (!session) return null;

    const signedIn = viewSignedIn(session);
    if (session.isReplaced) return { signedIn };
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
      const use = { expiresAt: isExtended ? expiresAt : undefined, lastUsedAt: now, address };
      if (!(await updateSessionUse(db, hash, use))) return null;
    }
    const seenAt = session.lastSeenAt?.getTime() ?? 0;
    if (now >= seenAt + LAST_USE_STEP_MS) await updateLastSeen(db, signedIn.accountId, now);
    const freshUntil = Math.min(now + MAX_CACHE_AGE_MS, extensionDue(times, expiresAt), expiresAt);
    if (bus.connected) cache.set(token, { signedIn, hash, freshUntil }, generation);
    return {
      signedIn,
      ...(isExtended && session.remembered && { cookieMaxAgeSeconds: secondsUntil(expiresAt, now) }),
    };
  }
}
